package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.RDD;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Jobs whose scratch directory is a disk of 2 MiB.
@Timeout(120)
class FullDiskTest {
  @TempDir Path disk;
  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk.toString());
    assumeTrue(mounted, "only root can mount a small disk");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      // Lazily, as a thread that clears up may be looking at it yet.
      assertThat(run("umount", "--lazy", disk.toString())).isTrue();
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private KilnContext open() {
    return KilnContext.create(
        Contexts.conf("local[2]")
            .set("spark.local.dir", disk.toString())
            .set("spark.testing.memory", "1m")
            .set("spark.shuffle.compress", "false")
            .set("spark.shuffle.spill.compress", "false"));
  }

  private static RDD<String> large(KilnContext context) {
    return context.range(0, 200_000, 1, 4).map(x -> Long.toString(x * 7_919 % 200_000) + " words");
  }

  private long bytesOnDisk() throws IOException {
    try (Stream<Path> files = Files.walk(disk)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private List<Path> spillsOnDisk() throws IOException {
    try (Stream<Path> files = Files.walk(disk)) {
      return files
          .filter(file -> Files.isRegularFile(file) && file.toString().contains("/spills/"))
          .toList();
    }
  }

  private void assertFailsAndGoesOn(KilnContext context, RDD<?> job) throws IOException {
    KilnException failure = catchThrowableOfType(KilnException.class, job::count);
    assertThat(failure).isNotNull();
    assertThat(failure.getMessage())
        .hasLineCount(1)
        .contains("disk full: " + disk)
        .containsPattern("needed \\d+ more bytes after \\d+ and \\d+ were free")
        .contains("spark.local.dir");
    assertThat(context.range(0, 1_000, 1, 4).map(x -> x % 10).distinct(2).count()).isEqualTo(10);
  }

  @Test
  void inTheMiddleOfASpill() throws Exception {
    try (KilnContext context = open()) {
      assertFailsAndGoesOn(context, large(context).sortBy(x -> x, true, 2));
      assertThat(spillsOnDisk()).as("what the failed job left").isEmpty();
    }
    assertThat(bytesOnDisk()).isZero();
  }

  @Test
  void inTheMiddleOfCombining() throws Exception {
    try (KilnContext context = open()) {
      assertFailsAndGoesOn(context, large(context).distinct(3));
    }
  }

  @Test
  void whileBlocksAreStored() throws Exception {
    try (KilnContext context = open()) {
      RDD<String> kept = large(context).persist(io.kiln.api.StorageLevel.DISK_ONLY);
      assertFailsAndGoesOn(context, kept);
    }
  }
}
