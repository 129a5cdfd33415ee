package io.kiln.driver.cluster;

import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Transport;
import io.kiln.protocol.ContentRequest.FetchResult;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.TaskFailure;
import io.kiln.protocol.TaskResult;
import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.Failed;
import io.kiln.protocol.TaskUpdate.Succeeded;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/// Fetches results that were too large for a message, before the task machine hears that the task
/// has ended: a result that its executor took with it into the grave is a task to run again.
/// Thread-safe.
final class LargeResults {
  private static final int FETCHES_AT_ONCE = 4;

  private final Transport transport;
  private final Semaphore fetches = new Semaphore(FETCHES_AT_ONCE);

  LargeResults(Transport transport) {
    this.transport = transport;
  }

  /// Passes on what is complete, at once, and the rest when it has been fetched.
  ///
  /// @param data where the executor's contents are to be had
  void complete(TaskUpdates updates, NodeAddress data, Consumer<TaskUpdates> scheduler) {
    List<TaskUpdate> all = updates.updates();
    List<Succeeded> large = null;
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i) instanceof Succeeded update && update.result() instanceof TaskResult.Kept) {
        large = large == null ? new ArrayList<>() : large;
        large.add(update);
      }
    }
    if (large == null) {
      scheduler.accept(updates);
      return;
    }
    List<TaskUpdate> rest = new ArrayList<>(all);
    rest.removeAll(large);
    if (!rest.isEmpty()) {
      scheduler.accept(new TaskUpdates(updates.executorId(), updates.incarnation(), rest));
    }
    for (Succeeded update : large) {
      Thread.ofVirtual()
          .name("kiln-result-" + update.taskId())
          .start(
              () ->
                  scheduler.accept(
                      new TaskUpdates(
                          updates.executorId(),
                          updates.incarnation(),
                          List.of(fetched(update, data)))));
    }
  }

  private TaskUpdate fetched(Succeeded update, NodeAddress data) {
    TaskResult.Kept kept = (TaskResult.Kept) update.result();
    fetches.acquireUninterruptibly();
    try (InputStream content = transport.open(data, new FetchResult(kept.taskId()))) {
      return new Succeeded(
          update.taskId(),
          new TaskResult.Sent(content.readAllBytes(), kept.accumulators()),
          update.metrics());
    } catch (OutOfMemoryError e) {
      return failed(update, TaskFailure.Kind.RESOURCE_EXHAUSTED, e);
    } catch (Throwable e) { // lost, the task would be waited for for ever
      return failed(update, TaskFailure.Kind.EXCEPTION, e);
    } finally {
      fetches.release();
    }
  }

  /// It counts: where fetching fails for good, the job has to end.
  private static Failed failed(Succeeded update, TaskFailure.Kind kind, Throwable why) {
    return new Failed(
        update.taskId(),
        new TaskFailure(
            kind,
            why.getClass().getName(),
            "its result could not be fetched from its executor: " + why.getMessage(),
            "",
            Optional.empty()));
  }
}
