package io.kiln.driver;

import io.kiln.api.Broadcast;
import io.kiln.api.KilnException;
import io.kiln.api.spi.CurrentTask;
import io.kiln.driver.closure.ClosureInspector;
import io.kiln.driver.closure.Inspection.Shareable;
import io.kiln.executor.BroadcastReference;
import io.kiln.storage.LocalStorage;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// The broadcasts of one application in this process, as long as the user holds them. Thread-safe.
///
/// A value that isn't known to be immutable is copied once, in the call that broadcasts it; the
/// copy lies in the storage, which moves it to disk when memory is short.
final class Broadcasts implements AutoCloseable {
  private final String applicationId;
  private final Supplier<LocalStorage> storage;
  private final Optional<BroadcastCopies> elsewhere;
  private final AtomicLong nextId = new AtomicLong();
  private final Map<Long, WeakReference<DriverBroadcast<?>>> broadcasts = new ConcurrentHashMap<>();
  private final BroadcastReference.Source source = this::find;

  /// @param elsewhere where tasks have their copies; empty if they run in this process
  Broadcasts(
      String applicationId, Supplier<LocalStorage> storage, Optional<BroadcastCopies> elsewhere) {
    this.applicationId = applicationId;
    this.storage = storage;
    this.elsewhere = elsewhere;
  }

  /// @throws KilnException `NOT_SERIALIZABLE`
  <T> Broadcast<T> create(T value) {
    boolean asItIs =
        elsewhere.isPresent()
            || value == null
            || ClosureInspector.inspect(value, "broadcast") instanceof Shareable;
    DriverBroadcast<T> broadcast =
        new DriverBroadcast<>(nextId.getAndIncrement(), value, asItIs, this);
    if (elsewhere.isPresent()) {
      elsewhere.get().publish(broadcast.id(), value);
    } else if (!asItIs) {
      copy(broadcast.id(), value);
    }
    BroadcastReference.resolveBy(applicationId, source);
    broadcasts.put(broadcast.id(), new WeakReference<>(broadcast));
    return broadcast;
  }

  String applicationId() {
    return applicationId;
  }

  /// The one copy that the tasks of this process share; made again if it was dropped.
  Object copyForTasks(DriverBroadcast<?> broadcast, Object original) {
    Optional<Object> kept = storage.get().broadcast(broadcast.id());
    if (kept.isPresent()) {
      return kept.get();
    }
    synchronized (broadcast) {
      return storage
          .get()
          .broadcast(broadcast.id())
          .orElseGet(() -> copy(broadcast.id(), original));
    }
  }

  private Object copy(long id, Object value) {
    LocalStorage local = storage.get();
    byte[] bytes = local.serializer().toBytes(value);
    Object copy;
    try (CurrentTask.Suspended _ = CurrentTask.suspend()) {
      copy = local.serializer().fromBytes(bytes);
    }
    local.putBroadcast(id, copy);
    return copy;
  }

  void drop(long id) {
    if (elsewhere.isPresent()) {
      elsewhere.get().drop(id);
      return;
    }
    WeakReference<DriverBroadcast<?>> reference = broadcasts.get(id);
    DriverBroadcast<?> broadcast = reference == null ? null : reference.get();
    if (broadcast == null || !broadcast.isImmutable()) {
      storage.get().removeBroadcast(id);
    }
  }

  void forget(long id) {
    if (elsewhere.isPresent()) {
      elsewhere.get().remove(id);
    } else {
      drop(id);
    }
    broadcasts.remove(id);
  }

  private DriverBroadcast<?> find(long id) {
    WeakReference<DriverBroadcast<?>> reference = broadcasts.get(id);
    DriverBroadcast<?> broadcast = reference == null ? null : reference.get();
    if (broadcast == null) {
      throw destroyed(id);
    }
    return broadcast;
  }

  static KilnException destroyed(long id) {
    return new KilnException(
        "BROADCAST_DESTROYED",
        KilnException.Kind.USER,
        "broadcast " + id + " was destroyed; destroy it only after its last use");
  }

  @Override
  public void close() {
    BroadcastReference.forget(applicationId, source);
    broadcasts.clear();
  }
}
