package io.kiln.api;

import io.kiln.api.accumulator.Accumulator;
import io.kiln.api.accumulator.CollectionAccumulator;
import io.kiln.api.accumulator.DoubleAccumulator;
import io.kiln.api.accumulator.LongAccumulator;
import io.kiln.api.function.Function;
import io.kiln.api.listener.KilnListener;
import io.kiln.api.spi.Engine;
import io.kiln.api.spi.EngineLocator;
import io.kiln.api.spi.EngineProvider;
import io.kiln.api.spi.FileFormats;
import io.kiln.api.spi.JobProperties;
import io.kiln.api.spi.JobResultHandler;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.api.spi.SubmittedJob;
import java.lang.ref.WeakReference;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/// An application's connection to the engine. It makes RDDs, broadcasts and accumulators, and runs
/// jobs.
///
/// Thread-safe. Several threads may submit jobs, which then run side by side. A JVM usually has one
/// context at a time, and may have several. After [#close], every call that needs the engine fails.
public final class KilnContext implements AutoCloseable {
  private static final Set<String> LOG_LEVELS =
      Set.of("ALL", "DEBUG", "ERROR", "FATAL", "INFO", "OFF", "TRACE", "WARN");
  private static final AtomicReference<KilnContext> ACTIVE = new AtomicReference<>();

  private final KilnConf conf;
  private final Engine engine;
  private final long startTimeMillis = System.currentTimeMillis();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Checkpoints checkpoints = new Checkpoints(this);
  private final Map<Integer, WeakReference<RDD<?>>> persistent = new ConcurrentHashMap<>();

  @SuppressWarnings("ThreadLocalUsage") // one a context: two contexts don't share properties
  private final InheritableThreadLocal<Map<String, String>> localProperties =
      new InheritableThreadLocal<>() {
        @Override
        protected Map<String, String> initialValue() {
          return Map.of();
        }
      };

  // ---- life ---------------------------------------------------------------------------------

  /// Starts an engine with a copy of the settings.
  ///
  /// @throws KilnException if a setting doesn't parse or the master can't be used
  public static KilnContext create(KilnConf conf) {
    KilnContext context = new KilnContext(conf.copy());
    ACTIVE.set(context);
    return context;
  }

  /// Returns the context that was created last, of those that are not closed.
  public static Optional<KilnContext> active() {
    return Optional.ofNullable(ACTIVE.get()).filter(context -> !context.isClosed());
  }

  private KilnContext(KilnConf conf) {
    this.conf = conf;
    this.engine = EngineLocator.load(EngineProvider.class).start(this);
  }

  /// Stops the engine. Jobs that still run fail. Closing the context again does nothing.
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      ACTIVE.compareAndSet(this, null);
      engine.close();
    }
  }

  /// Whether [#close] was called.
  public boolean isClosed() {
    return closed.get();
  }

  /// A copy of the settings.
  public KilnConf conf() {
    return conf.copy();
  }

  /// Returns the engine. Programs don't need it: it is for RDDs and for the engine itself.
  public Engine engine() {
    return engine;
  }

  /// Returns the version of the engine, such as `0.1.0`.
  public String version() {
    return Version.CURRENT;
  }

  /// Returns the id that the engine or the cluster has given this application. No other context has
  /// it.
  public String applicationId() {
    return engine.applicationId();
  }

  /// The setting `spark.app.name`; empty if it isn't set.
  public String appName() {
    return conf.get("spark.app.name", "");
  }

  /// The setting `spark.master`; empty if it isn't set.
  public String master() {
    return conf.get("spark.master", "");
  }

  /// Returns when the context was made, in milliseconds since the epoch.
  public long startTime() {
    return startTimeMillis;
  }

  /// Returns how many partitions an RDD gets when the call names no number:
  /// `spark.default.parallelism` or, if that is unset, the number of slots.
  public int defaultParallelism() {
    return engine.defaultParallelism();
  }

  /// Whether `spark.default.parallelism` is set.
  boolean hasDefaultParallelism() {
    return conf.contains("spark.default.parallelism");
  }

  /// Returns how many partitions an input file gets at least when the call names no number: the
  /// default parallelism, but no more than 2.
  public int defaultMinPartitions() {
    return Math.min(defaultParallelism(), 2);
  }

  /// Changes how much is logged.
  ///
  /// @param level `ALL`, `DEBUG`, `ERROR`, `FATAL`, `INFO`, `OFF`, `TRACE` or `WARN`
  /// @throws KilnException `LOG_LEVEL_UNKNOWN`
  public void setLogLevel(String level) {
    String upper = Arguments.present(level, "setLogLevel", "level").toUpperCase(Locale.ROOT);
    if (!LOG_LEVELS.contains(upper)) {
      throw new KilnException(
          "LOG_LEVEL_UNKNOWN",
          KilnException.Kind.USER,
          "there is no log level '%s'; use one of %s".formatted(level, new TreeSet<>(LOG_LEVELS)));
    }
    engine.setLogLevel(upper);
  }

  // ---- RDDs of the driver's data ------------------------------------------------------------

  /// Makes an RDD of the values, in order, with [#defaultParallelism] partitions. The values are
  /// copied now.
  public <T> RDD<T> parallelize(Collection<? extends T> values) {
    return parallelize(values, defaultParallelism());
  }

  /// @param slices how many partitions the RDD has, at least 1. Their sizes differ by 1 at most
  public <T> RDD<T> parallelize(Collection<? extends T> values, int slices) {
    return new ParallelCollectionRDD<>(
        this, Arguments.present(values, "parallelize", "values"), Arguments.partitions(slices));
  }

  /// Same as [#parallelize], for pairs.
  public <K, V> PairRDD<K, V> parallelizePairs(Collection<Pair<K, V>> pairs) {
    return PairRDD.from(parallelize(pairs));
  }

  /// Same as [#parallelize], for pairs.
  public <K, V> PairRDD<K, V> parallelizePairs(Collection<Pair<K, V>> pairs, int slices) {
    return PairRDD.from(parallelize(pairs, slices));
  }

  /// Same as [#parallelize], for numbers.
  public DoubleRDD parallelizeDoubles(Collection<Double> numbers) {
    return DoubleRDD.from(parallelize(numbers));
  }

  /// Same as [#parallelize], for numbers.
  public DoubleRDD parallelizeDoubles(Collection<Double> numbers, int slices) {
    return DoubleRDD.from(parallelize(numbers, slices));
  }

  /// Makes an RDD of the numbers from `start` up to `end`, without `end` itself.
  public RDD<Long> range(long start, long end) {
    return range(start, end, 1);
  }

  /// @param step the distance between neighbours; negative to count down
  public RDD<Long> range(long start, long end, long step) {
    return range(start, end, step, defaultParallelism());
  }

  /// @param slices how many partitions the RDD has, at least 1. The tasks make the numbers
  public RDD<Long> range(long start, long end, long step, int slices) {
    if (step == 0) {
      throw new KilnException(
          "STEP_ZERO", KilnException.Kind.USER, "a range can't have the step 0; give another");
    }
    BigInteger span = BigInteger.valueOf(end).subtract(BigInteger.valueOf(start));
    BigInteger by = BigInteger.valueOf(step);
    BigInteger[] steps = span.divideAndRemainder(by);
    BigInteger count = steps[1].signum() == 0 ? steps[0] : steps[0].add(BigInteger.ONE);
    if (span.signum() * by.signum() <= 0) {
      count = BigInteger.ZERO;
    }
    if (count.bitLength() > 63) {
      throw new KilnException(
          "RANGE_TOO_LONG",
          KilnException.Kind.USER,
          "the range from %d to %d has %s numbers, more than %d; split it"
              .formatted(start, end, count, Long.MAX_VALUE));
    }
    return new RangeRDD(this, start, step, count.longValueExact(), Arguments.partitions(slices));
  }

  /// Makes an RDD without partitions.
  public <T> RDD<T> emptyRDD() {
    return new ParallelCollectionRDD<>(this, List.of(), 0);
  }

  /// Makes an RDD of all partitions of the RDDs, first those of the first RDD; see [RDD#union].
  public <T> RDD<T> union(List<? extends RDD<T>> rdds) {
    return Transformations.union(this, rdds);
  }

  // ---- RDDs of files ------------------------------------------------------------------------

  private static FileFormats files() {
    return EngineLocator.load(FileFormats.class);
  }

  private static String path(String path, String operation) {
    return Arguments.present(path, operation, "path");
  }

  /// Makes an RDD of the lines of text files, without their line ends. It has at least
  /// [#defaultMinPartitions] partitions if the files can be split.
  ///
  /// @param path a file, a directory, a glob, or several of these with commas between them; each is
  ///     a local path or a URI. A file whose name says that it is compressed is decompressed
  /// @throws KilnException `INPUT_PATH_MISSING` if nothing is there
  public RDD<String> textFile(String path) {
    return textFile(path, defaultMinPartitions());
  }

  /// @param minPartitions how many partitions the RDD has at least, if the files can be split
  public RDD<String> textFile(String path, int minPartitions) {
    return files().textFile(this, path(path, "textFile"), minPartitions);
  }

  /// Makes an RDD with a pair for each file: its path and its whole text. Small files share
  /// partitions.
  public PairRDD<String, String> wholeTextFiles(String path) {
    return wholeTextFiles(path, defaultMinPartitions());
  }

  /// @param minPartitions a hint
  public PairRDD<String, String> wholeTextFiles(String path, int minPartitions) {
    return PairRDD.from(files().wholeTextFiles(this, path(path, "wholeTextFiles"), minPartitions));
  }

  /// Makes an RDD with a pair for each file: its path, and a handle by which the task reads it.
  public PairRDD<String, BinaryFile> binaryFiles(String path) {
    return binaryFiles(path, defaultMinPartitions());
  }

  /// @param minPartitions a hint
  public PairRDD<String, BinaryFile> binaryFiles(String path, int minPartitions) {
    return PairRDD.from(files().binaryFiles(this, path(path, "binaryFiles"), minPartitions));
  }

  /// Makes an RDD of the records in files whose records all have one length, with nothing between
  /// them.
  ///
  /// @param recordLength of each record, in bytes
  public RDD<byte[]> binaryRecords(String path, int recordLength) {
    return files().binaryRecords(this, path(path, "binaryRecords"), recordLength);
  }

  /// Makes an RDD of the records that [RDD#saveAsObjectFile] wrote.
  ///
  /// @param <T> the type of the records that were written; it is not checked
  public <T> RDD<T> objectFile(String path) {
    return objectFile(path, defaultMinPartitions());
  }

  /// @param minPartitions how many partitions the RDD has at least
  public <T> RDD<T> objectFile(String path, int minPartitions) {
    return files().objectFile(this, path(path, "objectFile"), minPartitions);
  }

  // ---- shared values ------------------------------------------------------------------------

  /// Gives each executor the value once, for all tasks that read it.
  ///
  /// @param value is serialisable, and must not be changed afterwards
  /// @throws KilnException `BROADCAST_OF_RDD` for an RDD: collect it first
  public <T> Broadcast<T> broadcast(T value) {
    if (value instanceof RDD) {
      throw new KilnException(
          "BROADCAST_OF_RDD",
          KilnException.Kind.USER,
          "an RDD can't be broadcast, as it is only a description; collect() it and broadcast"
              + " that");
    }
    return engine.broadcast(value);
  }

  /// Makes an accumulator that sums whole numbers. It has no name.
  public LongAccumulator longAccumulator() {
    return registered(new LongAccumulator(), Optional.empty());
  }

  /// Makes an accumulator that sums whole numbers.
  ///
  /// @param name for the UI
  public LongAccumulator longAccumulator(String name) {
    return registered(new LongAccumulator(), Optional.ofNullable(name));
  }

  /// Makes an accumulator that sums numbers. It has no name.
  public DoubleAccumulator doubleAccumulator() {
    return registered(new DoubleAccumulator(), Optional.empty());
  }

  /// Makes an accumulator that sums numbers.
  ///
  /// @param name for the UI
  public DoubleAccumulator doubleAccumulator(String name) {
    return registered(new DoubleAccumulator(), Optional.ofNullable(name));
  }

  /// Makes an accumulator that collects values in a list. It has no name.
  public <T> CollectionAccumulator<T> collectionAccumulator() {
    return registered(new CollectionAccumulator<T>(), Optional.empty());
  }

  /// Makes an accumulator that collects values in a list.
  ///
  /// @param name for the UI
  public <T> CollectionAccumulator<T> collectionAccumulator(String name) {
    return registered(new CollectionAccumulator<T>(), Optional.ofNullable(name));
  }

  /// Lets tasks use an accumulator of the application's own.
  ///
  /// @throws IllegalStateException if it is registered already
  public void register(Accumulator<?, ?> accumulator) {
    engine.register(Arguments.present(accumulator, "register", "accumulator"), Optional.empty());
  }

  /// @param name for the UI
  public void register(Accumulator<?, ?> accumulator, String name) {
    engine.register(
        Arguments.present(accumulator, "register", "accumulator"), Optional.ofNullable(name));
  }

  private <A extends Accumulator<?, ?>> A registered(A accumulator, Optional<String> name) {
    engine.register(accumulator, name);
    return accumulator;
  }

  // ---- properties of this thread's jobs -----------------------------------------------------

  /// Returns the properties of this thread; the map is unmodifiable. Jobs that the thread submits
  /// carry them to their tasks. Threads that it starts begin with a copy of them.
  public Map<String, String> localProperties() {
    return localProperties.get();
  }

  /// Returns a property of this thread.
  public Optional<String> localProperty(String key) {
    return Optional.ofNullable(localProperties.get().get(key));
  }

  /// Sets a property of this thread.
  ///
  /// @param value `null` removes the property
  public void setLocalProperty(String key, String value) {
    Map<String, String> changed = new HashMap<>(localProperties.get());
    Arguments.present(key, "setLocalProperty", "key");
    if (value == null) {
      changed.remove(key);
    } else {
      changed.put(key, value);
    }
    localProperties.set(Collections.unmodifiableMap(changed));
  }

  /// Puts the jobs that this thread submits from now on into a group, to be cancelled together.
  public void setJobGroup(String group, String description) {
    setJobGroup(group, description, false);
  }

  /// @param interruptOnCancel whether the thread of a cancelled task is interrupted. A task that
  ///     does not look whether it was cancelled may need that
  public void setJobGroup(String group, String description, boolean interruptOnCancel) {
    setLocalProperty(JobProperties.GROUP, group);
    setJobDescription(description);
    setInterruptOnCancel(interruptOnCancel);
  }

  /// Takes the jobs that this thread submits from now on out of the group that [#setJobGroup]
  /// named.
  public void clearJobGroup() {
    setLocalProperty(JobProperties.GROUP, null);
    setJobDescription(null);
    setLocalProperty(JobProperties.INTERRUPT_ON_CANCEL, null);
  }

  /// Sets the description that people see for the jobs of this thread.
  ///
  /// @param description `null` for none
  public void setJobDescription(String description) {
    setLocalProperty(JobProperties.DESCRIPTION, description);
  }

  /// Says whether a task's thread is interrupted when its job is cancelled. This holds for the jobs
  /// that this thread submits.
  public void setInterruptOnCancel(boolean interruptOnCancel) {
    setLocalProperty(JobProperties.INTERRUPT_ON_CANCEL, Boolean.toString(interruptOnCancel));
  }

  /// Adds a tag to the jobs of this thread.
  ///
  /// @throws KilnException `JOB_TAG_INVALID` if it is empty or has a comma
  public void addJobTag(String tag) {
    if (Arguments.present(tag, "addJobTag", "tag").isEmpty() || tag.contains(",")) {
      throw new KilnException(
          "JOB_TAG_INVALID",
          KilnException.Kind.USER,
          "'" + tag + "' can't be a job tag; give one that isn't empty and has no comma");
    }
    Set<String> tags = new TreeSet<>(jobTags());
    tags.add(tag);
    setLocalProperty(JobProperties.TAGS, String.join(",", tags));
  }

  /// Removes a tag from the jobs of this thread, if they have it.
  public void removeJobTag(String tag) {
    Set<String> tags = new TreeSet<>(jobTags());
    tags.remove(tag);
    setLocalProperty(JobProperties.TAGS, tags.isEmpty() ? null : String.join(",", tags));
  }

  /// Returns a copy of the tags of this thread's jobs.
  public Set<String> jobTags() {
    return localProperty(JobProperties.TAGS).map(tags -> Set.of(tags.split(","))).orElse(Set.of());
  }

  /// Removes all tags from the jobs of this thread.
  public void clearJobTags() {
    setLocalProperty(JobProperties.TAGS, null);
  }

  // ---- cancelling ---------------------------------------------------------------------------

  /// Cancels a job, if it runs.
  public void cancelJob(int jobId) {
    cancelJob(jobId, "cancelled by the application");
  }

  /// @param reason the job's message of failure
  public void cancelJob(int jobId, String reason) {
    engine.cancelJob(jobId, reason);
  }

  /// Cancels a stage, if it runs, and all jobs that need it.
  public void cancelStage(int stageId) {
    cancelStage(stageId, "cancelled by the application");
  }

  /// @param reason the jobs' message of failure
  public void cancelStage(int stageId, String reason) {
    engine.cancelStage(stageId, reason);
  }

  /// Cancels the running jobs of a group.
  public void cancelJobGroup(String group) {
    cancelJobGroup(group, "its group '" + group + "' was cancelled");
  }

  /// @param reason the jobs' message of failure
  public void cancelJobGroup(String group, String reason) {
    engine.cancelJobGroup(group, reason, false);
  }

  /// Cancels the jobs of a group, and those that are submitted later.
  public void cancelJobGroupAndFutureJobs(String group) {
    cancelJobGroupAndFutureJobs(group, "its group '" + group + "' was cancelled");
  }

  /// @param reason the jobs' message of failure
  public void cancelJobGroupAndFutureJobs(String group, String reason) {
    engine.cancelJobGroup(group, reason, true);
  }

  /// Cancels the running jobs that have a tag.
  public void cancelJobsWithTag(String tag) {
    cancelJobsWithTag(tag, "its tag '" + tag + "' was cancelled");
  }

  /// @param reason the jobs' message of failure
  public void cancelJobsWithTag(String tag, String reason) {
    engine.cancelJobsWithTag(tag, reason);
  }

  /// Cancels all running jobs.
  public void cancelAllJobs() {
    engine.cancelAllJobs("all jobs were cancelled");
  }

  // ---- running jobs -------------------------------------------------------------------------

  /// Runs `function` on every partition.
  ///
  /// @return the results, in the order of the partitions
  /// @throws KilnException if a task failed too often, or the job was cancelled
  public <T, R> List<R> runJob(RDD<T> rdd, PartitionFunction<T, ? extends R> function) {
    return runJob(rdd, function, allPartitions(rdd));
  }

  /// Runs `function` on some partitions.
  ///
  /// @param partitions their indexes. A partition that is named twice is computed once
  /// @return the results, in the order of `partitions`
  public <T, R> List<R> runJob(
      RDD<T> rdd, PartitionFunction<T, ? extends R> function, int[] partitions) {
    Object[] results = new Object[partitions.length];
    this.<T, R>runJob(rdd, function, partitions, (index, result) -> results[index] = result);
    return Transformations.cast(new ArrayList<>(Arrays.asList(results)));
  }

  /// Runs `function` on the records of every partition.
  ///
  /// @return the results, in the order of the partitions
  public <T, R> List<R> runJob(RDD<T> rdd, Function<Iterator<T>, ? extends R> function) {
    return runJob(rdd, function, allPartitions(rdd));
  }

  /// Runs `function` on the records of some partitions.
  ///
  /// @param partitions their indexes. A partition that is named twice is computed once
  /// @return the results, in the order of `partitions`
  public <T, R> List<R> runJob(
      RDD<T> rdd, Function<Iterator<T>, ? extends R> function, int[] partitions) {
    engine.checkSerializable(function, "runJob");
    return this.<T, R>runJob(
        rdd, (TaskContext _, Records<T> records) -> function.apply(records.iterator()), partitions);
  }

  /// Runs `function` on some partitions, and hands each result to `handler` when it comes.
  ///
  /// @param partitions their indexes. A partition that is named twice is computed once
  /// @param handler is called on this thread
  public <T, R> void runJob(
      RDD<T> rdd,
      PartitionFunction<T, ? extends R> function,
      int[] partitions,
      JobResultHandler<? super R> handler) {
    requirePartitions(rdd, partitions);
    if (partitions.length == 0) {
      checkpoints.afterJob(rdd);
      return;
    }
    SubmittedJob job = submit(rdd, function, partitions, handler);
    JobFuture.jobSubmitted(job);
    try {
      job.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    }
    checkpoints.afterJob(rdd);
  }

  /// Starts a job on some partitions, and doesn't wait for it.
  ///
  /// @param partitions their indexes. A partition that is named twice is computed once, and its
  ///     result is handled twice
  /// @param handler is called with each result when it comes, on a thread of the future
  /// @param result makes the future's value when all results were handled
  public <T, P, R> JobFuture<R> submitJob(
      RDD<T> rdd,
      PartitionFunction<T, ? extends P> function,
      int[] partitions,
      JobResultHandler<? super P> handler,
      Callable<? extends R> result) {
    requirePartitions(rdd, partitions);
    JobFuture<R> future = new JobFuture<>();
    if (partitions.length == 0) {
      return future.run(
          () -> {
            checkpoints.afterJob(rdd);
            return result.call();
          });
    }
    SubmittedJob job = submit(rdd, function, partitions, handler);
    future.submitted(job);
    return future.run(
        () -> {
          job.await();
          checkpoints.afterJob(rdd);
          return result.call();
        });
  }

  private <T, R> SubmittedJob submit(
      RDD<T> rdd,
      PartitionFunction<T, ? extends R> function,
      int[] partitions,
      JobResultHandler<? super R> handler) {
    if (TaskContext.current().isPresent()) {
      throw new IllegalStateException(
          "an action was called inside a task; compute what the function needs first, and broadcast"
              + " it");
    }
    if (isAscending(partitions)) {
      return engine.submitJob(rdd.node(), function, partitions, handler);
    }
    int[] distinct = IntStream.of(partitions).distinct().toArray();
    return engine.submitJob(
        rdd.node(),
        function,
        distinct,
        (index, result) -> {
          for (int i = 0; i < partitions.length; i++) {
            if (partitions[i] == distinct[index]) {
              handler.taskSucceeded(i, result);
            }
          }
        });
  }

  /// Whether the partitions are named in ascending order, as they nearly always are. Then none is
  /// named twice.
  private static boolean isAscending(int[] partitions) {
    for (int i = 1; i < partitions.length; i++) {
      if (partitions[i] <= partitions[i - 1]) {
        return false;
      }
    }
    return true;
  }

  private static int[] allPartitions(RDD<?> rdd) {
    return IntStream.range(0, rdd.numPartitions()).toArray();
  }

  private static void requirePartitions(RDD<?> rdd, int[] partitions) {
    int size = rdd.numPartitions();
    for (int partition : partitions) {
      if (partition < 0 || partition >= size) {
        throw new KilnException(
            "PARTITION_UNKNOWN",
            KilnException.Kind.USER,
            "there is no partition %d in %s, which has %d".formatted(partition, rdd, size));
      }
    }
  }

  static KilnException interrupted(InterruptedException cause) {
    return new KilnException(
        "JOB_CANCELLED",
        KilnException.Kind.USER,
        "the job was cancelled: its thread was interrupted",
        cause);
  }

  // ---- persistence --------------------------------------------------------------------------

  /// Returns a copy of the RDDs that are persisted and still in use, by id.
  public Map<Integer, RDD<?>> getPersistentRDDs() {
    Map<Integer, RDD<?>> alive = new TreeMap<>();
    persistent.forEach(
        (id, reference) -> {
          RDD<?> rdd = reference.get();
          if (rdd == null) {
            persistent.remove(id, reference);
          } else {
            alive.put(id, rdd);
          }
        });
    return alive;
  }

  void persisted(RDD<?> rdd, StorageLevel level) {
    StorageLevel current = rdd.storageLevel();
    if (current.equals(level)) {
      return;
    }
    if (current.isPersistent()) {
      throw new KilnException(
          "STORAGE_LEVEL_ASSIGNED",
          KilnException.Kind.USER,
          "%s is persisted with another storage level already; unpersist it first".formatted(rdd));
    }
    storageLevelChanged(rdd, level);
  }

  void storageLevelChanged(RDD<?> rdd, StorageLevel level) {
    rdd.assignStorageLevel(level);
    persistent.put(rdd.id(), new WeakReference<>(rdd));
    engine.persisted(rdd);
  }

  void unpersisted(RDD<?> rdd, boolean blocking) {
    rdd.assignStorageLevel(StorageLevel.NONE);
    persistent.remove(rdd.id());
    engine.unpersist(rdd, blocking);
  }

  Checkpoints checkpoints() {
    return checkpoints;
  }

  /// Sets the directory to which [RDD#checkpoint] writes. The directory is made if it isn't there.
  ///
  /// @param directory is in a file system that all executors share, unless they are all on this
  ///     machine
  public void setCheckpointDir(String directory) {
    engine.setCheckpointDirectory(path(directory, "setCheckpointDir"));
  }

  /// Returns the directory of checkpoints, if one was set.
  public Optional<String> getCheckpointDir() {
    return engine.checkpointDirectory();
  }

  // ---- files and jars for tasks -------------------------------------------------------------

  /// Brings a file to every executor, where [KilnFiles#get] finds it.
  ///
  /// @param path a path, or a `file:`, `local:`, `http:` or `https:` URI; `#name` at the end gives
  ///     the file another name than its own
  /// @throws KilnException `INPUT_PATH_MISSING`, or `FILE_NOT_ADDED` if it can't be fetched
  public void addFile(String path) {
    addFile(path, false);
  }

  /// @param recursive whether `path` may be a directory
  public void addFile(String path, boolean recursive) {
    engine.addFile(path(path, "addFile"), recursive);
  }

  /// Returns the files that [#addFile] was given.
  public List<URI> listFiles() {
    return engine.files();
  }

  /// Unpacks an archive on every executor, where [KilnFiles#get] finds its directory.
  ///
  /// @param path of a `.zip`, `.jar`, `.tar`, `.tar.gz` or `.tgz`, as for [#addFile]. The directory
  ///     has the archive's name, or the one after the `#`
  /// @throws KilnException `INPUT_PATH_MISSING`, or `FILE_NOT_ADDED` if it can't be fetched
  public void addArchive(String path) {
    engine.addArchive(path(path, "addArchive"));
  }

  /// Returns the archives that [#addArchive] was given.
  public List<URI> listArchives() {
    return engine.archives();
  }

  /// Brings a jar to every executor, and puts it on the class path of tasks.
  ///
  /// @param path a path, or a `file:`, `local:`, `http:` or `https:` URI
  /// @throws KilnException `INPUT_PATH_MISSING`, or `FILE_NOT_ADDED` if it can't be fetched
  public void addJar(String path) {
    engine.addJar(path(path, "addJar"));
  }

  /// Returns the jars that [#addJar] was given.
  public List<URI> listJars() {
    return engine.jars();
  }

  // ---- executors ----------------------------------------------------------------------------

  /// Asks the cluster manager for so many executors altogether, from now on. Where there are more,
  /// some are ended: those that have not come yet, then the youngest. Where there are fewer, more
  /// come as the cluster has room. What ran on an executor that is ended runs again elsewhere.
  ///
  /// @param executors 0 or more
  /// @return whether the manager was asked: in local mode there is none, and a warning is logged
  /// @throws KilnException `EXECUTORS_NEGATIVE`
  public boolean requestTotalExecutors(int executors) {
    return requestTotalExecutors(executors, 0, Map.of());
  }

  /// As above, and tells where executors are wanted first. A manager prefers these hosts as long as
  /// they have room. No more than 10,000 hosts count, those with the most tasks.
  ///
  /// @param localityAwareTasks how many tasks would rather run on some hosts. Has no effect: hosts
  ///     are preferred however few tasks would rather run there.
  /// @param hostToLocalTaskCount how many tasks would rather run on each host; the host of the most
  ///     is wanted most
  /// @return as above
  /// @throws KilnException as above
  public boolean requestTotalExecutors(
      int executors, int localityAwareTasks, Map<String, Integer> hostToLocalTaskCount) {
    String name = "hostToLocalTaskCount";
    Arguments.present(hostToLocalTaskCount, "requestTotalExecutors", name);
    Arguments.allPresent(hostToLocalTaskCount.values(), "requestTotalExecutors", name);
    List<String> hosts =
        hostToLocalTaskCount.entrySet().stream()
            .filter(entry -> entry.getKey() != null)
            .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
            .map(Map.Entry::getKey)
            .toList();
    return engine.requestTotalExecutors(notNegative(executors), hosts);
  }

  /// Asks for so many executors more than were asked for so far.
  ///
  /// @param additional 0 or more
  /// @return as [#requestTotalExecutors(int)]
  /// @throws KilnException as [#requestTotalExecutors(int)]
  public boolean requestExecutors(int additional) {
    return engine.requestExecutors(notNegative(additional));
  }

  /// Ends executors. No others take their places, unless [#requestExecutors] asks for them.
  ///
  /// @param executorIds the ids that listeners hear
  /// @return whether one of them is there and is ended: in local mode there is none, and a warning
  ///     is logged
  public boolean killExecutors(Collection<String> executorIds) {
    return engine.killExecutors(
        List.copyOf(Arguments.allPresent(executorIds, "killExecutors", "executorIds")));
  }

  /// Ends one executor, as [#killExecutors] does.
  public boolean killExecutor(String executorId) {
    return killExecutors(List.of(Arguments.present(executorId, "killExecutor", "executorId")));
  }

  private static int notNegative(int executors) {
    if (executors < 0) {
      throw new KilnException(
          "EXECUTORS_NEGATIVE",
          KilnException.Kind.USER,
          "there can't be " + executors + " executors; ask for 0 or more");
    }
    return executors;
  }

  // ---- watching -----------------------------------------------------------------------------

  /// Lets `listener` hear what happens from now on.
  public void addListener(KilnListener listener) {
    engine.addListener(Arguments.present(listener, "addListener", "listener"));
  }

  /// Lets `listener` hear nothing more.
  public void removeListener(KilnListener listener) {
    engine.removeListener(listener);
  }

  /// Returns as text what the threads of an executor are doing. Use it to look at a task that
  /// hangs.
  ///
  /// @param executorId the id that listeners hear; `driver` in local mode
  /// @return empty if there is no such executor
  /// @throws KilnException if the executor doesn't answer within some seconds
  public Optional<String> executorThreadDump(String executorId) throws InterruptedException {
    return engine.threadDump(executorId);
  }

  /// Returns a view of the jobs and stages that run.
  public StatusTracker statusTracker() {
    return new StatusTracker(engine.status());
  }
}
