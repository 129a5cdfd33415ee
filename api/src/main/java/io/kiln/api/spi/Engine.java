package io.kiln.api.spi;

import io.kiln.api.Broadcast;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.api.listener.KilnListener;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The engine as the API sees it: the driver's side. All methods are thread-safe.
public interface Engine extends AutoCloseable {

  String applicationId();

  /// Finds the application's classes and what else it has brought, whichever thread asks.
  ClassLoader applicationLoader();

  int nextRddId();

  int nextShuffleId();

  /// Lets the engine clean the shuffle's files once the dependency is no longer reachable.
  void shuffleCreated(ShuffleDependency<?, ?, ?> shuffle);

  int defaultParallelism();

  /// Submits a job and returns at once. Results wait until [SubmittedJob#await] is called.
  ///
  /// @param partitions which partitions of `rdd` to compute, without duplicates
  /// @throws io.kiln.api.KilnException if the engine is stopped
  <T, R> SubmittedJob submitJob(
      RDD<T> rdd,
      PartitionFunction<T, ? extends R> function,
      int[] partitions,
      JobResultHandler<? super R> handler);

  /// Cancels the jobs whose group is `group`.
  ///
  /// @param includeFuture also those of this group submitted later
  void cancelJobGroup(String group, String reason, boolean includeFuture);

  void cancelJobsWithTag(String tag, String reason);

  void cancelAllJobs(String reason);

  void cancelJob(int jobId, String reason);

  void cancelStage(int stageId, String reason);

  /// Fails at once if `function` can't be serialised.
  ///
  /// @param operation what the user called, such as `map`
  /// @throws io.kiln.api.KilnException with the path of fields that leads to the culprit
  void checkSerializable(Object function, String operation);

  <T> Broadcast<T> broadcast(T value);

  /// Gives the accumulator its id and lets tasks' updates find it.
  void register(Accumulator<?, ?> accumulator, Optional<String> name);

  /// The RDD was given a storage level.
  void persisted(RDD<?> rdd);

  /// @param blocking wait until the blocks are gone
  void unpersist(RDD<?> rdd, boolean blocking);

  /// @param directory created if missing
  void setCheckpointDirectory(String directory);

  Optional<String> checkpointDirectory();

  void addFile(String path, boolean recursive);

  void addJar(String path);

  void addArchive(String path);

  /// Where this process has what [#addFile] and [#addArchive] were given, by name.
  Path filesDirectory();

  /// What [#addFile] was given, as the addresses that tasks fetch.
  List<URI> files();

  List<URI> archives();

  List<URI> jars();

  void addListener(KilnListener listener);

  void removeListener(KilnListener listener);

  StatusView status();

  /// Changes how much is logged, in this process and in the executors.
  ///
  /// @param level `ALL`, `DEBUG`, `ERROR`, `FATAL`, `INFO`, `OFF`, `TRACE` or `WARN`; checked by
  ///     the caller
  /// @throws io.kiln.api.KilnException `LOG_LEVEL_UNSUPPORTED` if the logging isn't the engine's
  void setLogLevel(String level);

  /// How many executors there should be from now on.
  ///
  /// @param executors 0 or more
  /// @param wantedHosts where they are wanted first, the most wanted first
  /// @return whether executors can be asked for
  boolean requestTotalExecutors(int executors, List<String> wantedHosts);

  /// @param additional 0 or more
  /// @return as above
  boolean requestExecutors(int additional);

  /// Has executors end; there should be so many fewer.
  ///
  /// @return whether there is one of them, and it can be ended
  boolean killExecutors(List<String> executorIds);

  /// What the threads of an executor are doing, as text.
  ///
  /// @return empty if there is no such executor
  /// @throws io.kiln.api.KilnException if it doesn't answer
  Optional<String> threadDump(String executorId) throws InterruptedException;

  /// Idempotent; running jobs fail with the reason that the context was closed.
  @Override
  void close();
}
