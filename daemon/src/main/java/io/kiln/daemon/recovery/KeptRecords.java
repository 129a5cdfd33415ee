package io.kiln.daemon.recovery;

import io.kiln.cluster.master.MasterEntry;
import io.kiln.network.codec.RecordCodec;
import java.lang.invoke.MethodHandles;
import java.util.List;

/// The closed registry of what a master keeps. Numbers 375 to 384 are its own: a record never gets
/// another one, since it is read by later versions.
public final class KeptRecords {

  private KeptRecords() {}

  public static RecordCodec codec() {
    return RecordCodec.builder(MethodHandles.lookup())
        .add(375, Change.Put.class)
        .add(376, Change.Remove.class)
        .addAll(
            380,
            List.of(
                MasterEntry.WorkerEntry.class,
                MasterEntry.ApplicationEntry.class,
                MasterEntry.DriverEntry.class,
                MasterEntry.NumbersEntry.class,
                MasterEntry.Removed.class))
        .build();
  }
}
