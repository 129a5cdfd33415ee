package io.kiln.daemon.master;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Entry;
import io.kiln.cluster.master.MasterEntry;
import io.kiln.cluster.master.MasterEvent.Deposed;
import io.kiln.daemon.recovery.Change;
import io.kiln.daemon.recovery.KeptRecords;
import io.kiln.daemon.recovery.NotLeadingException;
import io.kiln.daemon.recovery.Recovery;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.codec.WireFormatException;
import io.kiln.network.codec.WireWriter;
import io.kiln.runtime.EntriesRefused;
import io.kiln.runtime.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// What a master keeps, as bytes in a [Recovery]. On the machine's thread, but for [#read].
///
/// A master whose entries are refused is deposed by that, and its process goes on: it stands by,
/// and may be elected again, with what is kept.
final class KeptEntries implements Journal {
  private static final RecordCodec CODEC = KeptRecords.codec();

  private final Recovery recovery;
  private final LongSupplier epoch;

  /// @param epoch by which the machine acts
  KeptEntries(Recovery recovery, LongSupplier epoch) {
    this.recovery = recovery;
    this.epoch = epoch;
  }

  @Override
  public void append(List<Entry> entries) {
    List<Change> changes = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      changes.add(change((MasterEntry) entry));
    }
    long own = epoch.getAsLong();
    try {
      recovery.persist(own, changes);
    } catch (NotLeadingException e) {
      throw new EntriesRefused(new Deposed(own), e.getMessage());
    }
  }

  private static Change change(MasterEntry entry) {
    if (entry instanceof MasterEntry.Removed(String key)) {
      return new Change.Remove(key);
    }
    WireWriter bytes = new WireWriter(256);
    CODEC.write(entry, bytes);
    return new Change.Put(entry.key(), bytes.toByteArray());
  }

  /// @throws KilnException `RECOVERY_UNUSABLE`
  static List<MasterEntry> read(Map<String, byte[]> entries) {
    List<MasterEntry> read = new ArrayList<>(entries.size());
    for (byte[] value : entries.values()) {
      try {
        read.add((MasterEntry) CODEC.read(CODEC.reader(value, 0, value.length)));
      } catch (WireFormatException | ClassCastException e) {
        throw new KilnException(
            "RECOVERY_UNUSABLE",
            KilnException.Kind.EXTERNAL,
            "what the master before has kept was written by another version ("
                + e.getMessage()
                + "); start all masters of the cluster with one version, or with a new directory",
            e);
      }
    }
    return read;
  }
}
