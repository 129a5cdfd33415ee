package io.kiln.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.Records;
import io.kiln.base.filesystem.FileStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectFileTest {
  private static final List<Pair<Integer, String>> MANY =
      IntStream.range(0, 60_000).mapToObj(i -> Pair.of(i, "value number " + i)).toList();

  @TempDir Path directory;

  private record Link(Link next) implements java.io.Serializable {
    static Link chain(int length) {
      Link chain = null;
      for (int i = 0; i < length; i++) {
        chain = new Link(chain);
      }
      return chain;
    }

    int length() {
      int length = 0;
      for (Link at = this; at != null; at = at.next()) {
        length++;
      }
      return length;
    }
  }

  /// Those before and after a record for a large stack are read as well, from one batch or several.
  @Test
  void deepRecordsAmongOthers() throws Exception {
    List<Integer> lengths = List.of(1, 2, 20_000, 3, 10_000, 20_000, 4, 5);
    List<Object> records = new ArrayList<>(lengths.stream().map(Link::chain).toList());
    assertThat(read(write(records), 1).stream().map(record -> ((Link) record).length()))
        .isEqualTo(lengths);
  }

  @Test
  void recordsComeBackInOrder() throws Exception {
    List<Object> records = new ArrayList<>(MANY);
    records.add(null);
    records.add(int.class);
    assertThat(read(write(records), 1)).isEqualTo(records);
    assertThat(read(write(List.of()), 1)).isEmpty();
  }

  @Test
  void splitsTogetherGiveEachRecordOnce() throws Exception {
    Path file = write(MANY);
    for (int parts : new int[] {2, 3, 17}) {
      assertThat(read(file, parts)).isEqualTo(MANY);
    }
  }

  @Test
  void aChangedByteIsFound() throws Exception {
    Path file = write(MANY);
    byte[] bytes = Files.readAllBytes(file);
    for (int at : new int[] {3, 500_000, bytes.length - 30}) {
      byte[] changed = bytes.clone();
      changed[at] ^= 4;
      Files.write(file, changed);
      assertCorrupt(file);
    }
  }

  @Test
  void aFileThatIsCutIsFound() throws Exception {
    Path file = write(MANY);
    byte[] bytes = Files.readAllBytes(file);
    for (int length : new int[] {0, 10, bytes.length / 2, bytes.length - 1}) {
      Files.write(file, Arrays.copyOf(bytes, length));
      assertCorrupt(file);
    }
  }

  @Test
  void aRecordThatCannotBeWrittenIsNamed() {
    assertThatThrownBy(() -> write(List.of(new Object())))
        .isInstanceOfSatisfying(
            KilnException.class, e -> assertThat(e.code()).isEqualTo("RECORD_NOT_SERIALIZABLE"))
        .hasMessageContaining("java.lang.Object");
    assertThat(directory).isEmptyDirectory();
  }

  private static void assertCorrupt(Path file) {
    assertThatThrownBy(() -> read(file, 1))
        .isInstanceOfSatisfying(
            KilnException.class, e -> assertThat(e.code()).isEqualTo("OBJECT_FILE_CORRUPT"))
        .hasMessageContaining(file.toString());
  }

  private <T> Path write(List<T> records) throws Exception {
    Records<T> source = records::iterator;
    PartFile.Committed part =
        new ObjectFileWriter<T>(Local.FILES, directory.toString())
            .apply(new ScriptedTask(3, 17), source);
    assertThat(part.finalName()).isEqualTo("part-00003");
    return directory.resolve(part.committedName());
  }

  private static List<Object> read(Path file, int parts) throws Exception {
    FileStatus input = Local.file(file.toString(), Files.size(file));
    List<Object> records = new ArrayList<>();
    for (FileSplit split : new SplitPlanner(false).splitAtMultiples(List.of(input), parts, 1)) {
      try (ObjectFileReader reader = ObjectFileReader.open(Local.FILES, split)) {
        while (reader.hasNext()) {
          records.add(reader.next());
        }
      }
    }
    if (Files.size(file) == 0) {
      ObjectFileReader.open(Local.FILES, new FileSplit(0, file.toString(), 0, 0)).close();
    }
    return records;
  }
}
