package io.kiln.executor.process;

import io.kiln.executor.Executor;
import io.kiln.storage.LocalStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does what the driver commands besides tasks. None of it blocks. Thread-safe.
record Housekeeper(
    Executor executor, LocalStorage storage, Decommissioning decommissioning, ProcessEnd end)
    implements DriverCommands.Housekeeping {
  private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);

  @Override
  public void removeRdd(int rddId) {
    Thread.startVirtualThread(() -> storage.removeRdd(rddId));
  }

  @Override
  public void removeShuffle(int shuffleId) {
    Thread.startVirtualThread(() -> storage.removeShuffle(shuffleId));
  }

  @Override
  public void removeBroadcast(long broadcastId) {
    Thread.startVirtualThread(() -> storage.shared().remove(broadcastId));
  }

  @Override
  public void setLogLevel(String level) {
    ExecutorLog.setLevel(level);
  }

  @Override
  public void watchTasks(boolean watched) {
    executor.watch(watched);
  }

  @Override
  public void decommission() {
    decommissioning.begin();
  }

  @Override
  public void drained() {
    decommissioning.drained();
  }

  @Override
  public void stop(String why) {
    LOG.info("The driver ends this executor: {}", why);
    decommissioning.end(end::workDone);
  }
}
