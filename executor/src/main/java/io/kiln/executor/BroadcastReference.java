package io.kiln.executor;

import io.kiln.api.Broadcast;
import io.kiln.api.KilnException;
import java.io.Serial;
import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A broadcast as it travels in a serialised function: found again by its name, not copied.
///
/// @param id unique in the application
public record BroadcastReference(String applicationId, long id) implements Serializable {
  /// By application: a function may be deserialised on any thread.
  private static final Map<String, Source> SOURCES = new ConcurrentHashMap<>();

  /// Where an application's broadcasts are found in this process. Thread-safe.
  @FunctionalInterface
  public interface Source {
    /// @throws KilnException `BROADCAST_DESTROYED`
    Broadcast<?> find(long id);
  }

  /// References of the application are resolved there from now on. Idempotent.
  ///
  /// @throws KilnException `APPLICATION_ID_TAKEN` if they are resolved elsewhere already: two
  ///     clusters may give two applications of one process the same id
  public static void resolveBy(String applicationId, Source source) {
    Source known = SOURCES.putIfAbsent(applicationId, source);
    if (known != null && known != source) {
      throw new KilnException(
          "APPLICATION_ID_TAKEN",
          KilnException.Kind.EXTERNAL,
          "can't broadcast: this process has another application "
              + applicationId
              + ", of another cluster; close one of the contexts and make it anew");
    }
  }

  /// Nobody refers to the application's broadcasts any more.
  public static void forget(String applicationId, Source source) {
    SOURCES.remove(applicationId, source);
  }

  @Serial
  private Object readResolve() {
    Source source = SOURCES.get(applicationId);
    if (source == null) {
      throw new KilnException(
          "CONTEXT_CLOSED",
          KilnException.Kind.USER,
          "broadcast " + id + " can't be read: its context is closed");
    }
    return source.find(id);
  }
}
