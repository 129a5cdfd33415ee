package io.kiln.storage.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kiln.api.Aggregator;
import io.kiln.api.HashPartitioner;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.ShuffleDependency;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.process.ProcessDirectory;
import io.kiln.process.disk.LocalDirectories;
import io.kiln.storage.Ground;
import io.kiln.storage.LocalStorage;
import io.kiln.storage.StorageOptions;
import io.kiln.storage.TaskStorage;
import io.kiln.storage.shuffle.ShuffleWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DiskTest {

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
  }

  @Test
  void aFullDiskIsSaidAndStorageStaysUsable() throws Exception {
    Path disk = Ground.newDirectory();
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString()),
        "only root can mount a small disk");
    try (LocalStorage storage =
        LocalStorage.open(
            StorageOptions.in(disk).withMemory(StorageOptions.MemoryOptions.ofEngine(300 << 10)),
            ApplicationClasses.of(DiskTest.class.getClassLoader()))) {
      ShuffleDependency<Long, Long, Long> shuffle =
          ShuffleDependency.<Long, Long, Long>builder(
                  Ground.source(List.of(List.<Pair<Long, Long>>of())), new HashPartitioner(2))
              .aggregator(new Aggregator<>(value -> value, Long::sum, Long::sum), true)
              .build();
      for (boolean combine : new boolean[] {true, false}) {
        ShuffleDependency<Long, Long, ?> written =
            combine ? shuffle : ShuffleDependency.of(shuffle.parent(), shuffle.partitioner());
        try (TaskStorage task = storage.forTask(combine ? 1 : 2)) {
          ShuffleWriter<Long, Long> writer = task.shuffleWriter(written, 0);
          SplittableRandom random = new SplittableRandom(5);
          assertThatThrownBy(
                  () -> {
                    for (int i = 0; i < 300_000; i++) {
                      writer.accept(new Pair<>(random.nextLong(), random.nextLong()));
                    }
                    writer.commit();
                  })
              .isInstanceOfSatisfying(
                  KilnException.class,
                  e -> {
                    assertThat(e.code()).isEqualTo("DISK_FULL");
                    assertThat(e.kind()).isEqualTo(KilnException.Kind.RESOURCES);
                    assertThat(e.getMessage())
                        .contains(disk.toString())
                        .containsPattern("needed \\d+ more bytes .* \\d+ were free")
                        .doesNotContain("\n");
                  });
        }
        try (var left = Files.walk(disk)) {
          assertThat(left.filter(Files::isRegularFile).map(file -> file.getFileName().toString()))
              .containsOnly(ProcessDirectory.LOCK);
        }
      }
      try (TaskStorage task = storage.forTask(3)) {
        ShuffleWriter<Long, Long> writer = task.shuffleWriter(shuffle, 0);
        writer.accept(new Pair<>(1L, 2L));
        assertThat(writer.commit().records()).isEqualTo(1);
        assertThat(Ground.pull(task.readShuffle(shuffle, 0, 2)))
            .containsExactly(new Pair<>(1L, 2L));
      }
    } finally {
      // Lazily, as a thread that clears up may be looking at it yet.
      assertThat(run("umount", "--lazy", disk.toString())).isTrue();
      Files.delete(disk);
    }
  }

  @Test
  void aDirectoryThatCanNotBeWrittenToIsSkippedOrRefused() throws Exception {
    Path good = Ground.newDirectory();
    Path notADirectory = Files.createTempFile("kiln", "file");
    assertThatThrownBy(() -> LocalDirectories.open(List.of(notADirectory)))
        .isInstanceOfSatisfying(
            KilnException.class,
            e -> {
              assertThat(e.code()).isEqualTo("LOCAL_DIR_UNUSABLE");
              assertThat(e.kind()).isEqualTo(KilnException.Kind.USER);
              assertThat(e.getMessage()).contains(notADirectory.toString()).doesNotContain("\n");
            });
    try (LocalDirectories directories = LocalDirectories.open(List.of(notADirectory, good))) {
      for (int i = 0; i < 10; i++) {
        assertThat(directories.newFile("g", "f" + i).startsWith(good)).isTrue();
      }
    }
    try (var left = Files.list(good)) {
      assertThat(left).isEmpty();
    }
    Files.delete(good);
    Files.delete(notADirectory);
  }

  @Test
  void filesAreSpreadAndADirectoryThatFailsIsLeftAlone() throws Exception {
    Path first = Ground.newDirectory();
    Path second = Ground.newDirectory();
    try (LocalDirectories directories = LocalDirectories.open(List.of(first, second))) {
      long inFirst = 0;
      for (int i = 0; i < 100; i++) {
        inFirst += directories.newFile("g", "f" + i).startsWith(first) ? 1 : 0;
      }
      assertThat(inFirst).isBetween(20L, 80L);
      Path root = directories.newFile("g", "f0").getParent().getParent();
      Files.delete(root.resolve("g"));
      Files.delete(root.resolve(ProcessDirectory.LOCK));
      Files.delete(root);
      Files.createFile(root);
      for (int i = 0; i < 100; i++) {
        assertThat(directories.newFile("another", "f" + i).getParent().getParent())
            .isNotEqualTo(root);
      }
    }
  }
}
