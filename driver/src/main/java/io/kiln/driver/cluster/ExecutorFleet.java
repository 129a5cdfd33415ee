package io.kiln.driver.cluster;

import io.kiln.api.KilnException;
import io.kiln.api.listener.KilnEvent;
import io.kiln.process.NetworkSetup;
import io.kiln.protocol.BlockId.RddBlock;
import io.kiln.protocol.ExecutorCommand;
import io.kiln.protocol.ExecutorCommand.RemoveBroadcast;
import io.kiln.protocol.ExecutorCommand.RemoveRdd;
import io.kiln.protocol.ExecutorCommand.SetLogLevel;
import io.kiln.protocol.ExecutorCommand.Stop;
import io.kiln.protocol.ExecutorCommand.WatchTasks;
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.scheduler.task.TaskMessage.TasksUpdated;
import io.kiln.storage.LocalStorage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/// The executors of one application that run in processes of their own. They find the driver at its
/// port, register, get their tasks and report. Thread-safe.
///
/// What they say is heard from [#accept] on, until [#disconnect].
public final class ExecutorFleet {
  private static final Duration DUMP_WITHIN = Duration.ofSeconds(15);

  private final DriverPort port;
  private final LinkedExecutors executors;
  private final StandingCommands standing;
  private final Duration askTimeout;

  /// @param storage of the driver, where its broadcasts are
  /// @param machines hear of tasks
  /// @param progress hears how far an executor's tasks are
  public ExecutorFleet(
      Application application,
      DriverPort port,
      Supplier<LocalStorage> storage,
      Machines machines,
      BiConsumer<String, List<KilnEvent.TaskProgress>> progress) {
    this.port = port;
    this.executors = port.executors();
    this.standing = new StandingCommands(application.resources());
    this.askTimeout = NetworkSetup.askTimeout(application.settings());
    port.transport()
        .addReceiver(
            ExecutorProtocol.SCHEDULER,
            new ExecutorReports(
                executors,
                new LargeResults(port.transport()),
                report -> machines.toTasks(new TasksUpdated(report)),
                progress,
                application.classes()));
    port.transport()
        .addResponder(
            ExecutorProtocol.DRIVER,
            new DriverAnswers(application, executors, port.locations(), standing));
    port.transport()
        .serve(new DriverContents(executors.largeStages(), application.resources(), storage));
  }

  /// Hears executors from now on. The machines run by now.
  public void accept() {
    port.transport().accept();
  }

  public RegisteredSlots slots() {
    return executors.slots();
  }

  /// The executors that have a partition of a persisted RDD.
  public List<String> holders(int rddId, int partition) {
    return executors.blocks().holders(new RddBlock(rddId, partition));
  }

  public void removeRdd(int rddId) {
    forgetRdd(rddId);
    tellAll(new RemoveRdd(rddId));
  }

  /// Waits until the executors have removed their blocks. One that does not answer is as good as
  /// gone; if this thread is interrupted, the rest is done without it.
  public void removeRddNow(int rddId) {
    forgetRdd(rddId);
    List<CompletableFuture<Record>> removals =
        executors.all().stream().map(executor -> executor.dropRdd(rddId, askTimeout)).toList();
    try {
      for (CompletableFuture<Record> removal : removals) {
        removal.handle((_, failure) -> failure).get(); // it may have gone meanwhile
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // it was handled
    }
  }

  private void forgetRdd(int rddId) {
    executors.blocks().forget(id -> id instanceof RddBlock block && block.rddId() == rddId);
  }

  /// Drops the executors' copies.
  public void dropBroadcast(long broadcastId) {
    executors.blocks().forget(id -> id.isOfBroadcast(broadcastId));
    tellAll(new RemoveBroadcast(broadcastId));
  }

  public void setLogLevel(String level) {
    SetLogLevel command = new SetLogLevel(level);
    standing.logLevel(command);
    tellAll(command);
  }

  /// Whether somebody wants to know what tasks use.
  public void watchTasks(boolean watch) {
    WatchTasks command = new WatchTasks(watch);
    standing.watching(command);
    tellAll(command);
  }

  /// Tells every executor; those that come later learn what they need when they come.
  public void tellAll(ExecutorCommand command) {
    executors.tellAll(command);
  }

  /// Whether the executor is here.
  public boolean has(String executorId) {
    return executors.find(executorId).isPresent();
  }

  /// Asks an executor to end, if it is here.
  public void stop(String executorId, String why) {
    executors.find(executorId).ifPresent(executor -> executor.send(new Stop(why)));
  }

  /// What the threads of an executor are doing, as text.
  ///
  /// @return empty if there is no such executor
  /// @throws KilnException if it doesn't answer
  public Optional<String> threadDump(String executorId) throws InterruptedException {
    Optional<RemoteExecutor> executor = executors.find(executorId);
    return executor.isEmpty()
        ? Optional.empty()
        : Optional.of(executor.get().threadDump(DUMP_WITHIN));
  }

  /// Tells the executors to end. Their processes are somebody else's to wait for.
  public void end() {
    executors.end();
  }

  /// Closes all connections. Idempotent.
  public void disconnect() {
    port.close();
  }
}
