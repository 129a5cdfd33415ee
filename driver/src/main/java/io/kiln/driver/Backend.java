package io.kiln.driver;

import io.kiln.api.RDD;
import io.kiln.protocol.SharedResource;
import io.kiln.scheduler.allocation.ExecutorTarget;
import io.kiln.scheduler.dag.StageGraph.Locality;
import java.util.List;
import java.util.Optional;

/// Where an application's tasks run, and what they leave there. Thread-safe.
///
/// It ends in two steps: [#stopTasks], then [#close].
interface Backend extends AutoCloseable {

  /// How stages are made ready to travel there.
  StageBinaries binaries();

  /// How many tasks run at once, as far as that is known now: it may change.
  int slots();

  /// Tasks can come. Called once, after the machines have started.
  void start();

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

  /// How many executors there should be from now on.
  ///
  /// @return whether executors can be asked for here
  boolean requestExecutors(ExecutorTarget target);

  /// So many more than now.
  ///
  /// @return as above
  boolean requestMoreExecutors(int additional);

  /// These are to end, and nobody takes their places.
  ///
  /// @return whether one of them is here, and can be ended
  boolean killExecutors(List<String> executorIds);

  /// What the threads of an executor are doing, as text.
  ///
  /// @return empty if there is no such executor
  /// @throws io.kiln.api.KilnException if it doesn't answer
  Optional<String> threadDump(String executorId) throws InterruptedException;

  /// Has running tasks end and takes no more. Nothing is reported after it. It does not wait.
  void stopTasks();

  /// After [#stopTasks]: waits until the tasks have ended and what ran them is gone, for a limited
  /// time. Idempotent.
  @Override
  void close();
}
