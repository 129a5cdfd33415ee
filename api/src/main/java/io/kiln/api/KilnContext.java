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

/// An application's connection to the engine: makes RDDs, broadcasts and accumulators, and runs
/// jobs.
///
/// Thread-safe; jobs may be submitted from several threads and run side by side. One context at a
/// time in a JVM is usual, several are allowed. After [#close] everything that needs the engine
/// fails.
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

  /// Starts an engine, with a copy of the settings.
  ///
  /// @throws KilnException if a setting doesn't parse or the master can't be used
  public static KilnContext create(KilnConf conf) {
    KilnContext context = new KilnContext(conf.copy());
    ACTIVE.set(context);
    return context;
  }

  /// The context that was created last and is not closed.
  public static Optional<KilnContext> active() {
    return Optional.ofNullable(ACTIVE.get()).filter(context -> !context.isClosed());
  }

  private KilnContext(KilnConf conf) {
    this.conf = conf;
    this.engine = EngineLocator.load(EngineProvider.class).start(this);
  }

  /// Stops the engine; running jobs fail. Closing again does nothing.
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

  /// For RDDs and the engine.
  public Engine engine() {
    return engine;
  }

  /// Of the engine, such as `0.1.0`.
  public String version() {
    return Version.CURRENT;
  }

  /// Given by the engine; unique to this context.
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

  /// When the context was made, in milliseconds since the epoch.
  public long startTime() {
    return startTimeMillis;
  }

  /// How many partitions an RDD has that was given no number: `spark.default.parallelism`, or else
  /// the number of slots.
  public int defaultParallelism() {
    return engine.defaultParallelism();
  }

  /// Whether `spark.default.parallelism` is set.
  boolean hasDefaultParallelism() {
    return conf.contains("spark.default.parallelism");
  }

  /// How many partitions an input file has at least, if no number is given: the default
  /// parallelism, but no more than 2.
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

  /// The values in [#defaultParallelism] partitions, in order. They are copied now.
  public <T> RDD<T> parallelize(Collection<? extends T> values) {
    return parallelize(values, defaultParallelism());
  }

  /// @param slices how many partitions; at least 1; their sizes differ by 1 at most
  public <T> RDD<T> parallelize(Collection<? extends T> values, int slices) {
    return new ParallelCollectionRDD<>(
        this, Arguments.present(values, "parallelize", "values"), Arguments.partitions(slices));
  }

  /// Same as [#parallelize], of pairs.
  public <K, V> PairRDD<K, V> parallelizePairs(Collection<Pair<K, V>> pairs) {
    return PairRDD.from(parallelize(pairs));
  }

  /// Same as [#parallelize], of pairs.
  public <K, V> PairRDD<K, V> parallelizePairs(Collection<Pair<K, V>> pairs, int slices) {
    return PairRDD.from(parallelize(pairs, slices));
  }

  /// Same as [#parallelize], of numbers.
  public DoubleRDD parallelizeDoubles(Collection<Double> numbers) {
    return DoubleRDD.from(parallelize(numbers));
  }

  /// Same as [#parallelize], of numbers.
  public DoubleRDD parallelizeDoubles(Collection<Double> numbers, int slices) {
    return DoubleRDD.from(parallelize(numbers, slices));
  }

  /// The numbers from `start` up to, but without, `end`.
  public RDD<Long> range(long start, long end) {
    return range(start, end, 1);
  }

  /// @param step between neighbours; negative to count down
  public RDD<Long> range(long start, long end, long step) {
    return range(start, end, step, defaultParallelism());
  }

  /// @param slices how many partitions; at least 1. The numbers are made in the tasks
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

  /// An RDD without partitions.
  public <T> RDD<T> emptyRDD() {
    return new ParallelCollectionRDD<>(this, List.of(), 0);
  }

  /// The RDDs' partitions, one RDD's after another's; see [RDD#union].
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

  /// The lines of text files, without their line ends, in at least [#defaultMinPartitions]
  /// partitions if the files can be split.
  ///
  /// @param path a file, a directory, a glob, or several with commas between them; a local path or
  /// a URI. What the name says is compressed is decompressed
  /// @throws KilnException `INPUT_PATH_MISSING` if nothing is there
  public RDD<String> textFile(String path) {
    return textFile(path, defaultMinPartitions());
  }

  /// @param minPartitions at least, if the files can be split
  public RDD<String> textFile(String path, int minPartitions) {
    return files().textFile(this, path(path, "textFile"), minPartitions);
  }

  /// Each file as a pair of its path and its whole text; small files share partitions.
  public PairRDD<String, String> wholeTextFiles(String path) {
    return wholeTextFiles(path, defaultMinPartitions());
  }

  /// @param minPartitions a hint
  public PairRDD<String, String> wholeTextFiles(String path, int minPartitions) {
    return PairRDD.from(files().wholeTextFiles(this, path(path, "wholeTextFiles"), minPartitions));
  }

  /// Each file as a pair of its path and a handle to read it in the task.
  public PairRDD<String, BinaryFile> binaryFiles(String path) {
    return binaryFiles(path, defaultMinPartitions());
  }

  /// @param minPartitions a hint
  public PairRDD<String, BinaryFile> binaryFiles(String path, int minPartitions) {
    return PairRDD.from(files().binaryFiles(this, path(path, "binaryFiles"), minPartitions));
  }

  /// Records of a fixed length, back to back.
  ///
  /// @param recordLength in bytes
  public RDD<byte[]> binaryRecords(String path, int recordLength) {
    return files().binaryRecords(this, path(path, "binaryRecords"), recordLength);
  }

  /// What [RDD#saveAsObjectFile] wrote.
  ///
  /// @param <T> what it was an RDD of; not checked
  public <T> RDD<T> objectFile(String path) {
    return objectFile(path, defaultMinPartitions());
  }

  /// @param minPartitions at least
  public <T> RDD<T> objectFile(String path, int minPartitions) {
    return files().objectFile(this, path(path, "objectFile"), minPartitions);
  }

  // ---- shared values ------------------------------------------------------------------------

  /// Gives each executor the value once, for all tasks that read it.
  ///
  /// @param value serialisable; must not be changed afterwards
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

  /// A sum of whole numbers, without a name.
  public LongAccumulator longAccumulator() {
    return registered(new LongAccumulator(), Optional.empty());
  }

  /// A sum of whole numbers.
  ///
  /// @param name for the UI
  public LongAccumulator longAccumulator(String name) {
    return registered(new LongAccumulator(), Optional.ofNullable(name));
  }

  /// A sum of numbers, without a name.
  public DoubleAccumulator doubleAccumulator() {
    return registered(new DoubleAccumulator(), Optional.empty());
  }

  /// A sum of numbers.
  ///
  /// @param name for the UI
  public DoubleAccumulator doubleAccumulator(String name) {
    return registered(new DoubleAccumulator(), Optional.ofNullable(name));
  }

  /// A list of values, without a name.
  public <T> CollectionAccumulator<T> collectionAccumulator() {
    return registered(new CollectionAccumulator<T>(), Optional.empty());
  }

  /// A list of values.
  ///
  /// @param name for the UI
  public <T> CollectionAccumulator<T> collectionAccumulator(String name) {
    return registered(new CollectionAccumulator<T>(), Optional.ofNullable(name));
  }

  /// Makes an accumulator of the application's own usable in tasks.
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

  /// This thread's, which the jobs that it submits carry to their tasks; unmodifiable. Threads
  /// that it starts begin with a copy.
  public Map<String, String> localProperties() {
    return localProperties.get();
  }

  /// A property of this thread's.
  public Optional<String> localProperty(String key) {
    return Optional.ofNullable(localProperties.get().get(key));
  }

  /// Sets a property of this thread's.
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

  /// @param interruptOnCancel whether a cancelled task's thread is interrupted; a task that ignores
  /// cancellation may need it
  public void setJobGroup(String group, String description, boolean interruptOnCancel) {
    setLocalProperty(JobProperties.GROUP, group);
    setJobDescription(description);
    setInterruptOnCancel(interruptOnCancel);
  }

  /// Ends what [#setJobGroup] began.
  public void clearJobGroup() {
    setLocalProperty(JobProperties.GROUP, null);
    setJobDescription(null);
    setLocalProperty(JobProperties.INTERRUPT_ON_CANCEL, null);
  }

  /// Describes this thread's jobs to people.
  ///
  /// @param description `null` for none
  public void setJobDescription(String description) {
    setLocalProperty(JobProperties.DESCRIPTION, description);
  }

  /// Whether the threads of this thread's tasks are interrupted when their job is cancelled.
  public void setInterruptOnCancel(boolean interruptOnCancel) {
    setLocalProperty(JobProperties.INTERRUPT_ON_CANCEL, Boolean.toString(interruptOnCancel));
  }

  /// Gives this thread's jobs a tag more.
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

  /// Takes a tag away from this thread's jobs, if they have it.
  public void removeJobTag(String tag) {
    Set<String> tags = new TreeSet<>(jobTags());
    tags.remove(tag);
    setLocalProperty(JobProperties.TAGS, tags.isEmpty() ? null : String.join(",", tags));
  }

  /// Of this thread's jobs; a copy.
  public Set<String> jobTags() {
    return localProperty(JobProperties.TAGS).map(tags -> Set.of(tags.split(","))).orElse(Set.of());
  }

  /// Takes all tags away from this thread's jobs.
  public void clearJobTags() {
    setLocalProperty(JobProperties.TAGS, null);
  }

  // ---- cancelling ---------------------------------------------------------------------------

  /// Cancels a job, if it runs.
  public void cancelJob(int jobId) {
    cancelJob(jobId, "cancelled by the application");
  }

  /// @param reason with which it fails
  public void cancelJob(int jobId, String reason) {
    engine.cancelJob(jobId, reason);
  }

  /// Cancels a stage, if it runs, and all jobs that need it.
  public void cancelStage(int stageId) {
    cancelStage(stageId, "cancelled by the application");
  }

  /// @param reason with which the jobs fail
  public void cancelStage(int stageId, String reason) {
    engine.cancelStage(stageId, reason);
  }

  /// Cancels the running jobs of a group.
  public void cancelJobGroup(String group) {
    cancelJobGroup(group, "its group '" + group + "' was cancelled");
  }

  /// @param reason with which they fail
  public void cancelJobGroup(String group, String reason) {
    engine.cancelJobGroup(group, reason, false);
  }

  /// Cancels the jobs of a group, also those that are submitted later.
  public void cancelJobGroupAndFutureJobs(String group) {
    cancelJobGroupAndFutureJobs(group, "its group '" + group + "' was cancelled");
  }

  /// @param reason with which they fail
  public void cancelJobGroupAndFutureJobs(String group, String reason) {
    engine.cancelJobGroup(group, reason, true);
  }

  /// Cancels the running jobs that have a tag.
  public void cancelJobsWithTag(String tag) {
    cancelJobsWithTag(tag, "its tag '" + tag + "' was cancelled");
  }

  /// @param reason with which they fail
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
  /// @return the results, by partition
  /// @throws KilnException if a task failed too often, or the job was cancelled
  public <T, R> List<R> runJob(RDD<T> rdd, PartitionFunction<T, ? extends R> function) {
    return runJob(rdd, function, allPartitions(rdd));
  }

  /// Runs `function` on some partitions.
  ///
  /// @param partitions one that is named twice is computed once
  /// @return the results, in the order of `partitions`
  public <T, R> List<R> runJob(
      RDD<T> rdd, PartitionFunction<T, ? extends R> function, int[] partitions) {
    Object[] results = new Object[partitions.length];
    this.<T, R>runJob(rdd, function, partitions, (index, result) -> results[index] = result);
    return Transformations.cast(new ArrayList<>(Arrays.asList(results)));
  }

  /// Runs `function` on the records of every partition.
  ///
  /// @return the results, by partition
  public <T, R> List<R> runJob(RDD<T> rdd, Function<Iterator<T>, ? extends R> function) {
    return runJob(rdd, function, allPartitions(rdd));
  }

  /// Runs `function` on the records of some partitions.
  ///
  /// @param partitions one that is named twice is computed once
  /// @return the results, in the order of `partitions`
  public <T, R> List<R> runJob(
      RDD<T> rdd, Function<Iterator<T>, ? extends R> function, int[] partitions) {
    engine.checkSerializable(function, "runJob");
    return this.<T, R>runJob(
        rdd, (TaskContext _, Records<T> records) -> function.apply(records.iterator()), partitions);
  }

  /// Runs `function` on some partitions and hands each result on as it comes.
  ///
  /// @param partitions one that is named twice is computed once
  /// @param handler called on this thread
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

  /// Starts a job on some partitions and doesn't wait.
  ///
  /// @param partitions one that is named twice is computed once, and its result handled twice
  /// @param handler called with each result as it comes, on a thread of the future's
  /// @param result makes the future's value once all results were handled
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

  /// As nearly always; then none is named twice.
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

  /// The RDDs that are persisted and still in use, by id; a copy.
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

  /// Where [RDD#checkpoint] writes to. It is made if it isn't there.
  ///
  /// @param directory in a file system that all executors share, unless they are all here
  public void setCheckpointDir(String directory) {
    engine.setCheckpointDirectory(path(directory, "setCheckpointDir"));
  }

  /// Where checkpoints go, if it was said.
  public Optional<String> getCheckpointDir() {
    return engine.checkpointDirectory();
  }

  // ---- files and jars for tasks -------------------------------------------------------------

  /// Has a file brought to every executor, where [KilnFiles#get] finds it.
  ///
  /// @param path a path, or a `file:`, `local:`, `http:` or `https:` URI; `#name` at the end gives
  ///     the file another name than its own
  /// @throws KilnException `INPUT_PATH_MISSING`, or `FILE_NOT_ADDED` if it can't be had
  public void addFile(String path) {
    addFile(path, false);
  }

  /// @param recursive whether `path` may be a directory
  public void addFile(String path, boolean recursive) {
    engine.addFile(path(path, "addFile"), recursive);
  }

  /// What [#addFile] was given.
  public List<URI> listFiles() {
    return engine.files();
  }

  /// Has an archive unpacked on every executor: [KilnFiles#get] finds its directory.
  ///
  /// @param path of a `.zip`, `.jar`, `.tar`, `.tar.gz` or `.tgz`, as for [#addFile]; the directory
  ///     has the archive's name, or that after the `#`
  /// @throws KilnException `INPUT_PATH_MISSING`, or `FILE_NOT_ADDED` if it can't be had
  public void addArchive(String path) {
    engine.addArchive(path(path, "addArchive"));
  }

  /// What [#addArchive] was given.
  public List<URI> listArchives() {
    return engine.archives();
  }

  /// Has a jar brought to every executor and put on the tasks' class path.
  ///
  /// @param path a path, or a `file:`, `local:`, `http:` or `https:` URI
  /// @throws KilnException `INPUT_PATH_MISSING`, or `FILE_NOT_ADDED` if it can't be had
  public void addJar(String path) {
    engine.addJar(path(path, "addJar"));
  }

  /// What [#addJar] was given.
  public List<URI> listJars() {
    return engine.jars();
  }

  // ---- watching -----------------------------------------------------------------------------

  /// Tells `listener` what happens from now on.
  public void addListener(KilnListener listener) {
    engine.addListener(Arguments.present(listener, "addListener", "listener"));
  }

  /// Tells it no more.
  public void removeListener(KilnListener listener) {
    engine.removeListener(listener);
  }

  /// What the threads of an executor are doing, as text, for a look at a task that hangs.
  ///
  /// @param executorId as listeners hear it; `driver` in local mode
  /// @return empty if there is no such executor
  /// @throws KilnException if it doesn't answer within some seconds
  public Optional<String> executorThreadDump(String executorId) throws InterruptedException {
    return engine.threadDump(executorId);
  }

  /// What runs now.
  public StatusTracker statusTracker() {
    return new StatusTracker(engine.status());
  }
}
