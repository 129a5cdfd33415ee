package io.kiln.driver;

import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.driver.cluster.Machines;
import io.kiln.executor.Executor;
import io.kiln.executor.Stacks;
import io.kiln.protocol.ExecutorMessage;
import io.kiln.protocol.SharedResource;
import io.kiln.scheduler.allocation.ExecutorTarget;
import io.kiln.scheduler.dag.StageGraph.Locality;
import io.kiln.scheduler.task.TaskMessage;
import io.kiln.storage.LocalStorage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Local mode: one executor in the driver's own process, which shares its storage and its classes.
/// Thread-safe.
final class InProcessBackend implements Backend {
  private static final Logger LOG = LoggerFactory.getLogger(InProcessBackend.class);
  static final String EXECUTOR_ID = "driver";
  static final long INCARNATION = 0;
  private static final Duration TASKS_END_WITHIN = Duration.ofSeconds(5);
  private static final Address EXECUTOR = new Address("driver", "executor");

  private final Executor executor;
  private final int slots;
  private final LazyStorage storage;
  private final Machines machines;
  private final StageBinaries binaries;
  private final AtomicBoolean warned = new AtomicBoolean();

  InProcessBackend(
      Executor executor,
      int slots,
      LazyStorage storage,
      ApplicationClasses classes,
      Machines machines) {
    this.executor = executor;
    this.slots = slots;
    this.storage = storage;
    this.machines = machines;
    this.binaries = new LocalStageBinaries(classes);
  }

  @Override
  public StageBinaries binaries() {
    return binaries;
  }

  @Override
  public int slots() {
    return slots;
  }

  @Override
  public void start() {
    machines.addEdge(
        EXECUTOR,
        batch -> {
          for (Message message : batch) {
            executor.receive((ExecutorMessage) message);
          }
        });
    machines.toTasks(
        new TaskMessage.ExecutorRegistered(EXECUTOR_ID, INCARNATION, EXECUTOR, "localhost", slots));
  }

  @Override
  public boolean holds(RDD<?> rdd) {
    Optional<LocalStorage> opened = storage.ifOpen();
    if (opened.isEmpty()) {
      return false;
    }
    for (Partition partition : rdd.partitions()) {
      if (!opened.get().holds(rdd.id(), partition.index())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Locality locality(RDD<?> last) {
    return Locality.ANYWHERE;
  }

  @Override
  public void removeRdd(int rddId) {
    Optional<LocalStorage> opened = storage.ifOpen();
    if (opened.isPresent()) {
      opened.get().removeRdd(rddId);
    }
  }

  @Override
  public void removeRddNow(int rddId) {
    removeRdd(rddId); // is at once
  }

  @Override
  public void removeShuffle(int shuffleId) {
    Optional<LocalStorage> opened = storage.ifOpen();
    if (opened.isPresent()) {
      opened.get().removeShuffle(shuffleId);
    }
  }

  @Override
  public void resourcesChanged(List<SharedResource> all) {} // tasks use the driver's

  @Override
  public void setLogLevel(String level) {} // it is this process's

  @Override
  public void watchTasks(boolean watched) {
    executor.watch(watched);
  }

  @Override
  public boolean requestExecutors(ExecutorTarget target) {
    return refused();
  }

  @Override
  public boolean requestMoreExecutors(int additional) {
    return refused();
  }

  @Override
  public boolean killExecutors(List<String> executorIds) {
    return refused();
  }

  private boolean refused() {
    if (!warned.getAndSet(true)) {
      LOG.warn(
          "In local mode the driver's process is the only executor: none can be asked for or"
              + " ended");
    }
    return false;
  }

  @Override
  public Optional<String> threadDump(String executorId) {
    return executorId.equals(EXECUTOR_ID) ? Optional.of(Stacks.ofAllThreads()) : Optional.empty();
  }

  @Override
  public void stopTasks() {
    executor.close();
  }

  @Override
  public void close() {
    try {
      if (!executor.awaitEnd(TASKS_END_WITHIN)) {
        LoggerFactory.getLogger(InProcessBackend.class)
            .warn(
                "tasks still run {} s after their context was closed; make them look at"
                    + " TaskContext.isInterrupted()",
                TASKS_END_WITHIN.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // whoever interrupts does not wait for them
    }
  }
}
