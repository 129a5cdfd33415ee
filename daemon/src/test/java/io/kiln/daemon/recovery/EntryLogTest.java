package io.kiln.daemon.recovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntryLogTest {
  /// At the beginning of the file, which is there from the start.
  private static final int FORM_BYTES = 8;

  @TempDir Path directory;

  @Test
  void theLastOfEachKeyIsThereAgain() {
    append(List.of(put("a", "1"), put("b", "1")), List.of(put("c", "1")));
    append(List.of(put("a", "2")), List.of(new Change.Remove("b"), put("c", "2")));

    assertThat(entries()).isEqualTo(Map.of("a", "2", "c", "2"));
    assertThat(entries()).as("written anew").hasSize(2);
  }

  /// The last batch has two entries: either both are there or none.
  @Test
  void whatIsCutOffAnywhereIsAWholeNumberOfBatches() throws IOException {
    append(List.of(put("a", "1")), List.of(put("b", "1"), put("c", "1")));
    byte[] whole = Files.readAllBytes(file());

    for (int length = FORM_BYTES; length < whole.length; length++) {
      Files.write(file(), Arrays.copyOf(whole, length));
      assertThat(entries().size()).as("of %s bytes", length).isIn(0, 1);
    }
    Files.write(file(), whole);
    assertThat(entries()).hasSize(3);
  }

  @Test
  void damageAnywhereIsRefusedAndTheFileIsLeftAsItIs() throws IOException {
    append(List.of(put("a", "1")), List.of(put("b", "1")), List.of(put("c", "1")));
    byte[] whole = Files.readAllBytes(file());

    for (int i = 0; i < whole.length; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 1;
      Files.write(file(), damaged);
      assertThatThrownBy(() -> new EntryLog(directory))
          .as("byte %s", i)
          .isInstanceOf(KilnException.class)
          .hasMessageContaining(file().toString());
      assertThat(Files.readAllBytes(file())).isEqualTo(damaged);
    }
  }

  @Test
  void whoMeetsDamageIsToldWhereItIsAndCanCutItOff() throws IOException {
    append(List.of(put("a", "1")));
    int end = (int) Files.size(file());
    append(List.of(put("b", "1")), List.of(put("c", "1")));
    byte[] damaged = Files.readAllBytes(file());
    damaged[end + 2] ^= 1; // a length
    Files.write(file(), damaged);

    assertThatThrownBy(() -> new EntryLog(directory))
        .hasMessageContaining("is damaged at byte " + end + " of " + damaged.length)
        .hasMessageContaining("truncate -s " + end);

    Files.write(file(), Arrays.copyOf(damaged, end));
    assertThat(entries()).isEqualTo(Map.of("a", "1"));
  }

  @Test
  void anEndThatTheFileSystemHasNotWrittenIsDropped() throws IOException {
    append(List.of(put("a", "1")));
    Files.write(file(), Arrays.copyOf(Files.readAllBytes(file()), 5_000));

    assertThat(entries()).isEqualTo(Map.of("a", "1"));
  }

  @Test
  void twoMastersCanNotUseItAtOnce() {
    try (EntryLog log = new EntryLog(directory)) {
      assertThat(log.entries()).isEmpty();
      assertThatThrownBy(() -> new EntryLog(directory))
          .isInstanceOf(KilnException.class)
          .hasMessageContaining("another master uses it")
          .hasMessageContaining(directory.toString());
    }
  }

  @Test
  void itDoesNotGrowForEver() throws IOException {
    String large = "x".repeat(1 << 20);
    try (EntryLog log = new EntryLog(directory)) {
      for (int i = 1; i <= 40; i++) {
        log.append(List.of(put("a", large + i)));
        assertThat(Files.size(file())).isLessThan(8 << 20);
      }
    }
    assertThat(entries()).isEqualTo(Map.of("a", large + 40));
  }

  @Test
  void nobodyElseCanReadIt() throws IOException {
    append(List.of(put("a", "1")));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  @SafeVarargs
  private void append(List<Change>... batches) {
    try (EntryLog log = new EntryLog(directory)) {
      for (List<Change> batch : batches) {
        log.append(batch);
      }
    }
  }

  private Map<String, String> entries() {
    Map<String, String> texts = new HashMap<>();
    try (EntryLog log = new EntryLog(directory)) {
      log.entries().forEach((key, value) -> texts.put(key, new String(value, UTF_8)));
    }
    return texts;
  }

  private Path file() {
    return directory.resolve("master.log");
  }

  private static Change put(String key, String value) {
    return new Change.Put(key, value.getBytes(UTF_8));
  }
}
