package io.kiln.driver;

import io.kiln.api.RDD;
import io.kiln.protocol.SharedResource;
import io.kiln.scheduler.dag.StageGraph.Locality;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Where an application's tasks run, and what they leave there. Thread-safe.
///
/// [#close] ends running tasks and takes no more; nothing is reported after it.
interface Backend extends AutoCloseable {

  /// What the driver itself stores.
  LazyStorage storage();

  /// Where tasks have their copies of broadcasts; empty if they run in this process.
  Optional<BroadcastCopies> broadcasts();

  /// How stages are made ready to travel there.
  StageBinaries binaries();

  /// How many tasks run at once, as far as that is known now: it may change.
  int slots();

  /// Tasks can come. Called once, after the machines have started.
  void start();

  /// The id that a cluster has given the application, after [#start]; empty where none has.
  default Optional<String> applicationId() {
    return Optional.empty();
  }

  /// Whether every partition of the persisted RDD is there to be read.
  boolean holds(RDD<?> rdd);

  /// Where a stage that ends with this RDD is cheap to compute, as of now.
  Locality locality(RDD<?> last);

  void removeRdd(int rddId);

  /// As above, and waits until the blocks are gone, or those who have them.
  void removeRddNow(int rddId);

  void removeShuffle(int shuffleId);

  /// What tasks have to find from now on.
  ///
  /// @param all since the application began
  void resourcesChanged(List<SharedResource> all);

  void setLogLevel(String level);

  /// Whether somebody wants to know what tasks use.
  void watchTasks(boolean watched);

  /// What the threads of an executor are doing, as text.
  ///
  /// @return empty if there is no such executor
  /// @throws io.kiln.api.KilnException if it doesn't answer
  Optional<String> threadDump(String executorId) throws InterruptedException;

  @Override
  void close();

  /// Waits, after [#close], until no task runs any more.
  ///
  /// @return false if some still run after the timeout
  boolean awaitTasks(Duration timeout) throws InterruptedException;
}
