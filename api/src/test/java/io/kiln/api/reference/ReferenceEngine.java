package io.kiln.api.reference;

import io.kiln.api.Aggregator;
import io.kiln.api.Broadcast;
import io.kiln.api.Dependency;
import io.kiln.api.JobStatus;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.StageStatus;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.api.listener.KilnListener;
import io.kiln.api.spi.Engine;
import io.kiln.api.spi.JobResultHandler;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.api.spi.StatusView;
import io.kiln.api.spi.SubmittedJob;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// The simplest engine: runs each job in [SubmittedJob#await], task by task, and keeps everything
/// in maps. Every task works on a deserialised copy of its closure, as in the real one.
public final class ReferenceEngine implements Engine {
  private static final int PARALLELISM = 3;

  private final KilnContext context;
  private final AtomicInteger nextRdd = new AtomicInteger();
  private final AtomicInteger nextShuffle = new AtomicInteger();
  private final AtomicInteger nextJob = new AtomicInteger();
  private final AtomicLong nextTask = new AtomicLong();
  private final AtomicLong nextAccumulator = new AtomicLong();
  private final Map<Long, Accumulator<?, ?>> accumulators = new ConcurrentHashMap<>();
  private volatile String checkpointDirectory;

  /// By shuffle, map partition and reduce partition.
  final Map<Integer, List<List<List<Pair<Object, Object>>>>> shuffles = new ConcurrentHashMap<>();

  /// By RDD and partition.
  final Map<List<Integer>, List<Object>> blocks = new ConcurrentHashMap<>();

  /// Properties of each job submitted, in order.
  private final List<Map<String, String>> jobs = new ArrayList<>();

  ReferenceEngine(KilnContext context) {
    this.context = context;
  }

  /// How many jobs were submitted so far.
  public int jobsSubmitted() {
    synchronized (jobs) {
      return jobs.size();
    }
  }

  /// How many partitions are stored.
  public int blocksStored() {
    return blocks.size();
  }

  @Override
  public String applicationId() {
    return "reference";
  }

  @Override
  public ClassLoader applicationLoader() {
    return ReferenceEngine.class.getClassLoader();
  }

  @Override
  public int nextRddId() {
    return nextRdd.getAndIncrement();
  }

  @Override
  public int nextShuffleId() {
    return nextShuffle.getAndIncrement();
  }

  @Override
  public void shuffleCreated(ShuffleDependency<?, ?, ?> shuffle) {}

  @Override
  public int defaultParallelism() {
    return PARALLELISM;
  }

  @Override
  public <T, R> SubmittedJob submitJob(
      RDD<T> rdd,
      PartitionFunction<T, ? extends R> function,
      int[] partitions,
      JobResultHandler<? super R> handler) {
    synchronized (jobs) {
      jobs.add(context.localProperties());
    }
    byte[] closure = serialised(Pair.of(rdd, function), "job");
    int jobId = nextJob.getAndIncrement();
    Map<String, String> properties = context.localProperties();
    AtomicBoolean cancelled = new AtomicBoolean();
    return new SubmittedJob() {
      @Override
      public int jobId() {
        return jobId;
      }

      @Override
      public void await() throws InterruptedException {
        try {
          writeShuffles(rdd);
          for (int i = 0; i < partitions.length; i++) {
            if (cancelled.get()) {
              throw new KilnException(
                  "JOB_CANCELLED", KilnException.Kind.USER, "job " + jobId + " was cancelled");
            }
            Partition split = rdd.partitions().get(partitions[i]);
            R result = ReferenceEngine.this.<T, R>runTask(closure, split, properties);
            handler.taskSucceeded(i, result);
          }
        } catch (KilnException | InterruptedException e) {
          throw e;
        } catch (Exception e) {
          throw new KilnException(
              "JOB_FAILED", KilnException.Kind.APPLICATION, "job " + jobId + " failed: " + e, e);
        }
      }

      @Override
      public void cancel(String reason) {
        cancelled.set(true);
      }
    };
  }

  @SuppressWarnings("TypeParameterUnusedInFormals") // the closure is of R
  private <T, R> R runTask(byte[] closure, Partition split, Map<String, String> properties)
      throws Exception {
    try (ReferenceTask task = newTask(split, properties)) {
      Pair<RDD<T>, PartitionFunction<T, R>> copy = JavaBytes.read(closure);
      Partition own = JavaBytes.read(JavaBytes.write(split));
      R result = copy.value().apply(task, copy.key().records(own, task));
      task.succeeded();
      return JavaBytes.read(JavaBytes.write(result));
    }
  }

  private ReferenceTask newTask(Partition split, Map<String, String> properties) {
    return new ReferenceTask(this, split.index(), nextTask.getAndIncrement(), properties);
  }

  private void writeShuffles(RDD<?> rdd) throws Exception {
    Set<Integer> seen = new HashSet<>();
    List<RDD<?>> pending = new ArrayList<>(List.of(rdd));
    while (!pending.isEmpty()) {
      RDD<?> next = pending.remove(pending.size() - 1);
      if (!seen.add(next.id())) {
        continue;
      }
      for (Dependency<?> dependency : next.dependencies()) {
        if (dependency instanceof ShuffleDependency<?, ?, ?> shuffle) {
          if (!shuffles.containsKey(shuffle.shuffleId())) {
            writeShuffles(shuffle.parent());
            write(shuffle);
          }
        } else {
          pending.add(dependency.parent());
        }
      }
    }
  }

  private <K, V, C> void write(ShuffleDependency<K, V, C> shuffle) throws Exception {
    byte[] closure = serialised(Pair.of(shuffle.parent(), shuffle), "shuffle");
    List<List<List<Pair<Object, Object>>>> maps = new ArrayList<>();
    for (Partition split : shuffle.parent().partitions()) {
      List<List<Pair<Object, Object>>> reduces = new ArrayList<>();
      for (int i = 0; i < shuffle.partitioner().numPartitions(); i++) {
        reduces.add(new ArrayList<>());
      }
      try (ReferenceTask task = newTask(split, Map.of())) {
        Pair<RDD<Pair<K, V>>, ShuffleDependency<K, V, C>> copy = JavaBytes.read(closure);
        Partition own = JavaBytes.read(JavaBytes.write(split));
        ShuffleDependency<K, V, C> mine = copy.value();
        copy.key()
            .forEachRecord(
                own,
                task,
                pair -> {
                  reduces
                      .get(mine.partitioner().partition(pair.key()))
                      .add(Pair.of(pair.key(), pair.value()));
                  return true;
                });
        if (mine.mapSideCombine()) {
          Aggregator<V, C> aggregator = mine.aggregator().orElseThrow();
          reduces.replaceAll(pairs -> combined(pairs, aggregator));
        }
        task.succeeded();
      }
      maps.add(JavaBytes.read(JavaBytes.write(reduces)));
    }
    shuffles.put(shuffle.shuffleId(), maps);
  }

  private static <V, C> List<Pair<Object, Object>> combined(
      List<Pair<Object, Object>> pairs, Aggregator<V, C> aggregator) {
    ReferenceCombiningMap<Object, V, C> map = new ReferenceCombiningMap<>(aggregator);
    List<Pair<Object, Object>> results = new ArrayList<>();
    try {
      for (Pair<Object, Object> pair : pairs) {
        @SuppressWarnings("unchecked") // the parent's value
        V value = (V) pair.value();
        map.insert(pair.key(), value);
      }
      map.results().forEach(pair -> results.add(Pair.<Object, Object>of(pair.key(), pair.value())));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return results;
  }

  private static byte[] serialised(Object closure, String operation) {
    try {
      return JavaBytes.write(closure);
    } catch (IOException e) {
      throw new KilnException(
          "CLOSURE_NOT_SERIALIZABLE",
          KilnException.Kind.USER,
          "what " + operation + " was given can't be serialised: " + e.getMessage(),
          e);
    }
  }

  @SuppressWarnings("unchecked") // a copy is of its original's types
  void merge(Accumulator<?, ?> copy) {
    Accumulator<Object, Object> original =
        (Accumulator<Object, Object>) accumulators.get(copy.id());
    original.merge((Accumulator<Object, Object>) copy);
  }

  @Override
  public void checkSerializable(Object function, String operation) {
    byte[] unused = serialised(function, operation);
    assert unused.length > 0;
  }

  @Override
  public <T> Broadcast<T> broadcast(T value) {
    return new ReferenceBroadcast<>(value);
  }

  private static final class ReferenceBroadcast<T> extends Broadcast<T> {
    private final Object value;

    ReferenceBroadcast(T value) {
      super(0);
      this.value = value;
    }

    @Override
    @SuppressWarnings("unchecked") // the constructor's
    public T value() {
      return (T) value;
    }

    @Override
    public void unpersist() {}

    @Override
    public void destroy() {}
  }

  @Override
  public void register(Accumulator<?, ?> accumulator, Optional<String> name) {
    accumulator.registered(nextAccumulator.getAndIncrement(), name);
    accumulators.put(accumulator.id(), accumulator);
  }

  @Override
  public void persisted(RDD<?> rdd) {}

  @Override
  public void unpersist(RDD<?> rdd, boolean blocking) {
    blocks.keySet().removeIf(key -> key.get(0) == rdd.id());
  }

  @Override
  public void setCheckpointDirectory(String directory) {
    checkpointDirectory = directory;
  }

  @Override
  public Optional<String> checkpointDirectory() {
    return Optional.ofNullable(checkpointDirectory);
  }

  @Override
  public void cancelJobGroup(String group, String reason, boolean includeFuture) {}

  @Override
  public void cancelJobsWithTag(String tag, String reason) {}

  @Override
  public void cancelAllJobs(String reason) {}

  @Override
  public void cancelJob(int jobId, String reason) {}

  @Override
  public void cancelStage(int stageId, String reason) {}

  @Override
  public void addFile(String path, boolean recursive) {}

  @Override
  public void addJar(String path) {}

  @Override
  public void addArchive(String path) {}

  @Override
  public Path filesDirectory() {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<URI> archives() {
    return List.of();
  }

  @Override
  public List<URI> files() {
    return List.of();
  }

  @Override
  public List<URI> jars() {
    return List.of();
  }

  @Override
  public void addListener(KilnListener listener) {}

  @Override
  public void removeListener(KilnListener listener) {}

  @Override
  public StatusView status() {
    return new StatusView() {
      @Override
      public List<Integer> activeJobIds() {
        return List.of();
      }

      @Override
      public List<Integer> activeStageIds() {
        return List.of();
      }

      @Override
      public List<Integer> jobIdsOfGroup(String group) {
        return List.of();
      }

      @Override
      public Optional<JobStatus> job(int jobId) {
        return Optional.empty();
      }

      @Override
      public Optional<StageStatus> stage(int stageId) {
        return Optional.empty();
      }
    };
  }

  @Override
  public boolean requestTotalExecutors(int executors, List<String> wantedHosts) {
    return false;
  }

  @Override
  public boolean requestExecutors(int additional) {
    return false;
  }

  @Override
  public boolean killExecutors(List<String> executorIds) {
    return false;
  }

  @Override
  public Optional<String> threadDump(String executorId) {
    return Optional.empty();
  }

  @Override
  public void setLogLevel(String level) {
    throw new UnsupportedOperationException("the reference engine logs nothing");
  }

  @Override
  public void close() {}
}
