package io.kiln.daemon.recovery;

import io.kiln.base.settings.StandaloneSettings;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// One master at a time, which leads from its start and keeps its entries in a directory. Nobody
/// else can write there while it lives. Thread-safe.
final class FileRecovery implements Recovery {
  private static final String EPOCH = "epoch"; // no entry of a master's has this key

  private EntryLog log; // null before start and after close
  private long epoch;

  @Override
  public synchronized void start(RecoverySetup setup, Candidate candidate) {
    log = new EntryLog(directory(setup));
    Map<String, byte[]> entries = new HashMap<>(log.entries());
    byte[] previous = entries.remove(EPOCH);
    epoch = Recovery.epochAfter(previous == null ? 0 : ByteBuffer.wrap(previous).getLong());
    log.append(
        List.of(new Change.Put(EPOCH, ByteBuffer.allocate(Long.BYTES).putLong(epoch).array())));
    candidate.elected(epoch, entries);
  }

  private static Path directory(RecoverySetup setup) {
    return Path.of(RecoveryModes.required(setup, StandaloneSettings.RECOVERY_DIRECTORY));
  }

  @Override
  public synchronized void persist(long ofEpoch, List<Change> changes) throws NotLeadingException {
    if (log == null || ofEpoch != epoch) {
      throw new NotLeadingException("this master ends");
    }
    log.append(changes);
  }

  @Override
  public synchronized void close() {
    if (log != null) {
      log.close();
      log = null;
    }
  }
}
