package io.kiln.driver;

import io.kiln.api.RDD;
import io.kiln.executor.protocol.SharedResource;
import java.time.Duration;
import java.util.List;

/// Where an application's tasks run, and what they leave there. Thread-safe.
///
/// [#close] ends running tasks and takes no more; nothing is reported after it.
interface Backend extends AutoCloseable {

  /// How stages are made ready to travel there.
  StageBinaries binaries();

  /// How many tasks run at once, as far as that is known from the settings.
  int slots();

  /// Tasks can come. Called once, after the machines have started.
  void start();

  /// Whether every partition of the persisted RDD is there to be read.
  boolean holds(RDD<?> rdd);

  void removeRdd(int rddId);

  void removeShuffle(int shuffleId);

  void removeBroadcast(long broadcastId);

  /// What tasks have to find from now on.
  ///
  /// @param all since the application began
  void resourcesChanged(List<SharedResource> all);

  void setLogLevel(String level);

  @Override
  void close();

  /// Waits, after [#close], until no task runs any more.
  ///
  /// @return false if some still run after the timeout
  boolean awaitTasks(Duration timeout) throws InterruptedException;
}
