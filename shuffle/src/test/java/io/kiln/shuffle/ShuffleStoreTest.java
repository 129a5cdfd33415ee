package io.kiln.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.process.disk.LocalDirectories;
import io.kiln.process.disk.StoredSegment;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShuffleStoreTest {
  private static final int SHUFFLE = 7;

  @TempDir Path temporary;

  @Test
  void whatAFailedAttemptHasAppendedIsCutOff() throws Exception {
    try (LocalDirectories directories = LocalDirectories.open(List.of(temporary))) {
      ShuffleStore store = new ShuffleStore(directories);
      Path file = write(store, 0, 1, 100).dataFile();
      long complete = Files.size(file);
      try (NewOutput failing = new NewOutput(store, SHUFFLE, 1, 4096)) {
        failing.data().write(new byte[10_000], 0, 10_000);
        assertThat(Files.size(file)).isGreaterThan(complete);
      }
      assertThat(Files.size(file)).isEqualTo(complete);
    }
  }

  @Test
  void anOutputGoesWhereThereIsRoomAndNobodyWrites() throws Exception {
    try (LocalDirectories directories = LocalDirectories.open(List.of(temporary))) {
      OutputFiles files = new OutputFiles(directories, "shuffle-0");
      OutputFiles.OutputFile first = files.take();
      assertThat(files.take().path()).as("the first is being written").isNotEqualTo(first.path());

      grow(first.path(), OutputFiles.FULL_BYTES - 1);
      OutputFiles.OutputFile withRoom =
          new OutputFiles.OutputFile(first.path(), OutputFiles.FULL_BYTES - 1);
      files.giveBack(withRoom);
      assertThat(files.take()).isEqualTo(withRoom);

      grow(first.path(), OutputFiles.FULL_BYTES);
      files.giveBack(new OutputFiles.OutputFile(first.path(), OutputFiles.FULL_BYTES));
      assertThat(files.take().path()).as("the first is full").isNotEqualTo(first.path());

      files.giveBack(withRoom);
      assertThat(files.take().path()).as("the first was changed").isNotEqualTo(first.path());
      grow(first.path(), withRoom.bytes());
      files.giveBack(withRoom);
      Files.delete(first.path());
      assertThat(files.take().path()).as("the first is gone").isNotEqualTo(first.path());
    }
  }

  @Test
  void anotherProcessFindsTheOutputsByTheFilesAlone() throws Exception {
    try (LocalDirectories directories = LocalDirectories.open(List.of(temporary))) {
      ShuffleStore written = new ShuffleStore(directories);
      for (int map = 0; map < 5; map++) {
        write(written, map, map, 300 * map, 0, 70);
      }
      write(written, 9, 11);
      write(written, 2, 12, 5, 5, 5);

      ShuffleStore adopting = adopt(directories);

      assertThat(adopting.shuffleIds()).containsExactly(SHUFFLE);
      assertThat(described(adopting)).isEqualTo(described(written)).hasSize(6);
      assertThat(adopting.find(SHUFFLE, 2).orElseThrow().taskAttemptId()).isEqualTo(12);
    }
  }

  @Test
  void whatWasCompleteIsFoundWhereverTheFileEnds() throws Exception {
    try (LocalDirectories directories = LocalDirectories.open(List.of(temporary))) {
      ShuffleStore written = new ShuffleStore(directories);
      Path file = write(written, 0, 1, 40, 3).dataFile();
      long first = Files.size(file);
      write(written, 1, 2, 60, 0, 9);
      long second = Files.size(file);
      byte[] whole = Files.readAllBytes(file);

      for (int length = 0; length <= whole.length; length++) {
        Files.write(file, Arrays.copyOf(whole, length));
        assertThat(adopt(directories).outputs(SHUFFLE))
            .as("of %s bytes", length)
            .hasSize(length < first ? 0 : length < second ? 1 : 2);
      }
      byte[] followed = Arrays.copyOf(whole, whole.length + 700_000);
      Files.write(file, followed);
      assertThat(described(adopt(directories))).isEqualTo(described(written));
    }
  }

  @Test
  void aFlippedByteNeverMakesAnotherOutput() throws Exception {
    try (LocalDirectories directories = LocalDirectories.open(List.of(temporary))) {
      ShuffleStore written = new ShuffleStore(directories);
      Path file = write(written, 0, 1, 20).dataFile();
      write(written, 1, 2, 30);
      write(written, 2, 3, 10);
      byte[] whole = Files.readAllBytes(file);
      List<String> all = described(written);

      for (int at = 0; at < whole.length; at++) {
        byte[] changed = whole.clone();
        changed[at] ^= 0x41;
        Files.write(file, changed);
        List<String> found = described(adopt(directories));
        assertThat(all).as("with byte %s changed", at).containsAll(found);
        assertThat(found).as("with byte %s changed", at).hasSizeGreaterThanOrEqualTo(2);
      }
    }
  }

  private static ShuffleStore adopt(LocalDirectories directories) {
    ShuffleStore store = new ShuffleStore(directories);
    store.adopt(directories.roots());
    return store;
  }

  private static List<String> described(ShuffleStore store) {
    List<String> outputs = new ArrayList<>();
    for (CommittedOutput output : store.outputs(SHUFFLE)) {
      outputs.add(
          output.output().mapPartition()
              + " "
              + output.output().records()
              + " "
              + output.taskAttemptId()
              + " "
              + output.dataFile()
              + " "
              + Arrays.toString(output.output().partitionBytes())
              + (output.output().bytes() == 0 ? "" : Arrays.toString(output.offsets()))
              + Arrays.toString(output.checksums()));
    }
    outputs.sort(null);
    return outputs;
  }

  private static CommittedOutput write(ShuffleStore store, int map, long attempt, int... lengths)
      throws IOException {
    try (NewOutput output = new NewOutput(store, SHUFFLE, lengths.length, 4096)) {
      for (int length : lengths) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        long offset = output.data().position();
        output.data().write(bytes, 0, length);
        output.add(new StoredSegment(offset, length, length == 0 ? 0 : (int) crc.getValue()));
      }
      return output.commit(new OutputOrigin(SHUFFLE, map, attempt, 100 + map));
    }
  }

  private static void grow(Path path, long bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(bytes);
    }
  }
}
