package io.kiln.standalone.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Address;
import io.kiln.cluster.master.MasterEntry;
import io.kiln.cluster.master.MasterEntry.NumbersEntry;
import io.kiln.cluster.master.MasterEntry.Removed;
import io.kiln.cluster.master.MasterEntry.WorkerEntry;
import io.kiln.cluster.protocol.WorkerDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntryLogTest {
  @TempDir Path directory;

  @Test
  void theLastOfEachKeyIsThereAgain() {
    append(List.of(worker("a", 1), worker("b", 1)), List.of(new NumbersEntry(1, 0)));
    append(List.of(worker("a", 2)), List.of(new Removed("worker_b"), new NumbersEntry(2, 1)));

    assertThat(entries()).containsExactlyInAnyOrder(worker("a", 2), new NumbersEntry(2, 1));
    assertThat(entries()).as("written anew").hasSize(2);
  }

  /// The last batch has two entries: either both are there or none.
  @Test
  void whatIsCutOffAnywhereIsAWholeNumberOfBatches() throws IOException {
    append(List.of(worker("a", 1)), List.of(worker("b", 1), worker("c", 1)));
    byte[] whole = Files.readAllBytes(file());

    for (int length = 0; length < whole.length; length++) {
      Files.write(file(), Arrays.copyOf(whole, length));
      assertThat(entries().size()).as("of %s bytes", length).isIn(0, 1);
    }
    Files.write(file(), whole);
    assertThat(entries()).hasSize(3);
  }

  @Test
  void aChangedBatchAndWhatIsBehindItAreDropped() throws IOException {
    append(List.of(worker("a", 1)), List.of(worker("b", 1)), List.of(worker("c", 1)));
    byte[] bytes = Files.readAllBytes(file());
    bytes[bytes.length / 2] ^= 1;
    Files.write(file(), bytes);

    assertThat(entries()).containsExactly(worker("a", 1));
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
    String name = "x".repeat(1 << 20);
    try (EntryLog log = new EntryLog(directory)) {
      for (int i = 1; i <= 40; i++) {
        log.append(List.of(worker(name, i)));
        assertThat(Files.size(file())).isLessThan(8 << 20);
      }
    }
    assertThat(entries()).containsExactly(worker(name, 40));
  }

  @Test
  void nobodyElseCanReadIt() throws IOException {
    append(List.of(worker("a", 1)));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  @SafeVarargs
  private void append(List<MasterEntry>... batches) {
    try (EntryLog log = new EntryLog(directory)) {
      for (List<MasterEntry> batch : batches) {
        log.append(List.copyOf(batch));
      }
    }
  }

  private List<MasterEntry> entries() {
    try (EntryLog log = new EntryLog(directory)) {
      return log.entries();
    }
  }

  private Path file() {
    return directory.resolve("master.log");
  }

  private static MasterEntry worker(String id, long incarnation) {
    return new WorkerEntry(
        id, incarnation, new WorkerDescription(new Address("h:1", "Worker"), "h", 1, 4, 1024, ""));
  }
}
