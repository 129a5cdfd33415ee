package io.kiln.driver;

import io.kiln.api.Broadcast;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.TaskContext;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.api.listener.KilnEvent;
import io.kiln.api.listener.KilnListener;
import io.kiln.api.spi.Engine;
import io.kiln.api.spi.JobResultHandler;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.api.spi.StatusView;
import io.kiln.api.spi.SubmittedJob;
import io.kiln.base.machine.HostList;
import io.kiln.driver.cleaner.ContextCleaner;
import io.kiln.driver.closure.ClosureInspector;
import io.kiln.driver.status.ApplicationStatus;
import io.kiln.scheduler.allocation.ExecutorTarget;
import io.kiln.scheduler.dag.DagMessage;
import io.kiln.scheduler.task.TaskMessage;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// The engine of one context, wherever its tasks run: it plans jobs, has them scheduled and knows
/// what the application keeps.
///
/// Thread-safe. It lives until [#close], or until the JVM ends. What a small job does not need is
/// not started before it is needed.
final class DriverEngine implements Engine, ContextCleaner.Removals {
  private final KilnContext context;
  private final EngineParts parts;
  private final ApplicationFiles files;
  private final ApplicationStatus status;
  private final ContextCleaner cleaner;
  private final AtomicInteger nextRddId = new AtomicInteger();
  private final AtomicInteger nextShuffleId = new AtomicInteger();
  private final CheckpointDirectory checkpointDirectory;
  private final EngineShutdown shutdown;

  private DriverEngine(KilnContext context, EngineParts parts) {
    this.context = context;
    this.parts = parts;
    this.files = parts.application().files();
    this.status = parts.application().status();
    this.cleaner = new ContextCleaner(parts.application().settings(), this);
    this.checkpointDirectory =
        new CheckpointDirectory(
            parts.application().settings(), parts.application().loader(), parts.applicationId());
    this.shutdown = new EngineShutdown(parts, cleaner);
  }

  /// @throws KilnException if a setting doesn't parse or a resource can't be had
  static DriverEngine start(KilnContext context) {
    EngineParts parts = EngineAssembly.assemble(context.conf());
    DriverEngine engine = new DriverEngine(context, parts);
    try {
      new StartUp(parts, engine).run(context.conf());
    } catch (RuntimeException | Error e) {
      engine.close();
      throw e;
    }
    return engine;
  }

  @Override
  public String applicationId() {
    return parts.applicationId();
  }

  @Override
  public ClassLoader applicationLoader() {
    return parts.application().loader();
  }

  @Override
  public int nextRddId() {
    return nextRddId.getAndIncrement();
  }

  @Override
  public int nextShuffleId() {
    return nextShuffleId.getAndIncrement();
  }

  @Override
  public int defaultParallelism() {
    return parts.defaultParallelism();
  }

  // ---- jobs ---------------------------------------------------------------------------------

  @Override
  public <T, R> SubmittedJob submitJob(
      RDD<T> rdd,
      PartitionFunction<T, ? extends R> function,
      int[] partitions,
      JobResultHandler<? super R> handler) {
    if (TaskContext.current().isPresent()) {
      throw new KilnException(
          "JOB_IN_TASK",
          KilnException.Kind.USER,
          "a task can't run a job; run it before, and give its result to the function");
    }
    return parts.jobs().submit(rdd, function, partitions, handler, context.localProperties());
  }

  @Override
  public void cancelJobGroup(String group, String reason, boolean includeFuture) {
    parts.jobs().cancelled(options -> options.group().equals(Optional.of(group)));
    parts.scheduler().toDag(new DagMessage.CancelJobGroup(group, reason, includeFuture));
  }

  @Override
  public void cancelJobsWithTag(String tag, String reason) {
    parts.jobs().cancelled(options -> options.hasTag(tag));
    parts.scheduler().toDag(new DagMessage.CancelJobsWithTag(tag, reason));
  }

  @Override
  public void cancelAllJobs(String reason) {
    parts.jobs().cancelled(_ -> true);
    parts.scheduler().toDag(new DagMessage.CancelAllJobs(reason));
  }

  @Override
  public void cancelJob(int jobId, String reason) {
    parts.jobs().cancelled(jobId);
    parts.scheduler().toDag(new DagMessage.CancelJob(jobId, reason));
  }

  @Override
  public void cancelStage(int stageId, String reason) {
    parts.scheduler().toDag(new DagMessage.CancelStage(stageId, reason));
  }

  @Override
  public void checkSerializable(Object function, String operation) {
    ClosureInspector.check(function, operation);
  }

  // ---- what the application shares with its tasks ---------------------------------------------

  @Override
  public <T> Broadcast<T> broadcast(T value) {
    Broadcast<T> broadcast = parts.broadcasts().create(value);
    cleaner.register(broadcast);
    return broadcast;
  }

  @Override
  public void register(Accumulator<?, ?> accumulator, Optional<String> name) {
    parts.application().accumulators().register(accumulator, name);
    cleaner.register(accumulator);
  }

  @Override
  public void addFile(String path, boolean recursive) {
    files.addFile(path, recursive);
    parts.backend().resourcesChanged(files.all());
  }

  @Override
  public void addJar(String path) {
    files.addJar(path);
    parts.backend().resourcesChanged(files.all());
  }

  @Override
  public void addArchive(String path) {
    files.addArchive(path);
    parts.backend().resourcesChanged(files.all());
  }

  @Override
  public Path filesDirectory() {
    return files.directory();
  }

  @Override
  public List<URI> archives() {
    return files.archives();
  }

  @Override
  public List<URI> files() {
    return files.files();
  }

  @Override
  public List<URI> jars() {
    return files.jars();
  }

  // ---- what is kept ---------------------------------------------------------------------------

  @Override
  public void shuffleCreated(ShuffleDependency<?, ?, ?> shuffle) {
    cleaner.register(shuffle);
  }

  @Override
  public void persisted(RDD<?> rdd) {
    cleaner.register(rdd);
  }

  @Override
  public void unpersist(RDD<?> rdd, boolean blocking) {
    if (blocking) {
      parts.backend().removeRddNow(rdd.id());
    } else {
      parts.backend().removeRdd(rdd.id());
    }
    unpersisted(rdd.id());
  }

  @Override
  public void removeRdd(int rddId) {
    parts.backend().removeRdd(rddId);
    unpersisted(rddId);
  }

  private void unpersisted(int rddId) {
    if (status.listeners().hasListeners()) {
      status.listeners().post(new KilnEvent.RddUnpersisted(rddId));
    }
  }

  @Override
  public void removeShuffle(int shuffleId) {
    parts.jobs().forgetShuffle(shuffleId);
    parts.scheduler().toDag(new DagMessage.ForgetShuffle(shuffleId));
    parts.backend().removeShuffle(shuffleId);
  }

  @Override
  public void removeBroadcast(long broadcastId) {
    parts.broadcasts().forget(broadcastId);
  }

  @Override
  public void removeAccumulator(long accumulatorId) {
    parts.application().accumulators().forget(accumulatorId);
  }

  @Override
  public void setCheckpointDirectory(String directory) {
    checkpointDirectory.set(directory);
  }

  @Override
  public Optional<String> checkpointDirectory() {
    return checkpointDirectory.get();
  }

  // ---- those who watch ------------------------------------------------------------------------

  @Override
  public void addListener(KilnListener listener) {
    status.addListener(listener);
    watchTasks(true);
  }

  @Override
  public void removeListener(KilnListener listener) {
    status.removeListener(listener);
    if (!status.listeners().hasListeners()) {
      watchTasks(false);
    }
  }

  private void watchTasks(boolean watched) {
    parts.backend().watchTasks(watched);
    parts.scheduler().toTasks(new TaskMessage.WatchTasks(watched));
  }

  @Override
  public StatusView status() {
    return status.view();
  }

  @Override
  public void setLogLevel(String level) {
    ProcessLog.setLevel(level);
    parts.backend().setLogLevel(level);
  }

  @Override
  public boolean requestTotalExecutors(int executors, List<String> wantedHosts) {
    return parts
        .backend()
        .requestExecutors(
            new ExecutorTarget(
                executors,
                ExecutorTarget.DEFAULT_PROFILE,
                HostList.usable(wantedHosts),
                List.of()));
  }

  @Override
  public boolean requestExecutors(int additional) {
    return parts.backend().requestMoreExecutors(additional);
  }

  @Override
  public boolean killExecutors(List<String> executorIds) {
    return parts.backend().killExecutors(executorIds);
  }

  @Override
  public Optional<String> threadDump(String executorId) throws InterruptedException {
    return parts.backend().threadDump(executorId);
  }

  @Override
  public void close() {
    shutdown.run();
  }
}
