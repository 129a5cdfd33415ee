package io.kiln.scheduler.task;

import io.kiln.scheduler.task.TaskMessage.ExecutorRegistered;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The executors that are there, and which incarnations have been.
///
/// ```
///            registered           unreachable
///  (absent) ────────────► Present ───────────► Unreachable
///                            │                      │
///                            └──────────┬───────────┘
///                                       └──► (absent)   gone, or registered as a newer incarnation
/// ```
///
/// One that is present may be leaving: then it counts for no place where a task could run, and not
/// for one where outputs may be moved to.
///
/// An incarnation that has left is not taken back. An unreachable one has its tasks still, and
/// counts for nothing else.
final class Executors {
  private final Map<String, RegisteredExecutor> present = new LinkedHashMap<>();
  private final Map<String, RegisteredExecutor> unreachable = new HashMap<>();
  private final Map<String, Long> newest = new HashMap<>();
  private final LivePlaces livePlaces = new LivePlaces();

  /// Whether this incarnation was never here and no newer one was.
  boolean isNew(ExecutorRegistered registered) {
    Long known = newest.get(registered.executorId());
    return known == null || registered.incarnation() > known;
  }

  RegisteredExecutor add(ExecutorRegistered registered) {
    RegisteredExecutor executor = new RegisteredExecutor(registered);
    present.put(executor.id(), executor);
    newest.put(executor.id(), executor.incarnation());
    livePlaces.add(executor);
    return executor;
  }

  void leave(RegisteredExecutor executor) {
    removePlace(executor);
    executor.leave();
  }

  private void removePlace(RegisteredExecutor executor) {
    if (!executor.isLeaving()) {
      livePlaces.remove(executor);
    }
  }

  void becameUnreachable(RegisteredExecutor executor) {
    present.remove(executor.id());
    removePlace(executor);
    unreachable.put(executor.id(), executor);
  }

  void remove(RegisteredExecutor executor) {
    if (present.remove(executor.id(), executor)) {
      removePlace(executor);
    } else {
      unreachable.remove(executor.id(), executor);
    }
  }

  /// Says that the incarnation, or its successors up to it, will not come any more.
  void gone(String executorId, long incarnation) {
    newest.merge(executorId, incarnation, Math::max);
  }

  /// One that can be reached.
  Optional<RegisteredExecutor> find(String executorId, long incarnation) {
    return Optional.ofNullable(present.get(executorId))
        .filter(executor -> executor.incarnation() == incarnation);
  }

  /// One that may have tasks, whether it can be reached or not.
  Optional<RegisteredExecutor> findKnown(String executorId) {
    return Optional.ofNullable(present.get(executorId))
        .or(() -> Optional.ofNullable(unreachable.get(executorId)));
  }

  /// Those that can be reached, in the order in which they came.
  Collection<RegisteredExecutor> present() {
    return present.values();
  }

  boolean isPresent(RegisteredExecutor executor) {
    return present.get(executor.id()) == executor;
  }

  /// Whether outputs may be moved there.
  boolean stays(String executorId) {
    RegisteredExecutor executor = present.get(executorId);
    return executor != null && !executor.isLeaving();
  }

  LivePlaces livePlaces() {
    return livePlaces;
  }
}
