package io.kiln.executor.process;

import io.kiln.api.KilnException;
import io.kiln.executor.protocol.ContentRequest.FetchBroadcast;
import io.kiln.storage.LocalStorage;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/// The broadcasts' values in this process, each fetched once however many tasks ask at a time.
/// Thread-safe.
final class FetchedBroadcasts implements RemoteBroadcast.Values {

  /// The driver's contents.
  @FunctionalInterface
  interface Source {
    InputStream open(FetchBroadcast request) throws IOException, InterruptedException;
  }

  private final LocalStorage storage;
  private final Source source;

  FetchedBroadcasts(LocalStorage storage, Source source) {
    this.storage = storage;
    this.source = source;
  }

  @Override
  public Object value(long id) {
    Optional<Object> kept = storage.broadcast(id);
    return kept.isPresent() ? kept.get() : fetch(id);
  }

  private synchronized Object fetch(long id) {
    Optional<Object> kept = storage.broadcast(id);
    if (kept.isPresent()) {
      return kept.get();
    }
    try (InputStream content = source.open(new FetchBroadcast(id))) {
      Object value = storage.serializer().fromBytes(content.readAllBytes());
      storage.putBroadcast(id, value);
      return value;
    } catch (IOException e) {
      throw new KilnException(
          "BROADCAST_NOT_FETCHED",
          KilnException.Kind.EXTERNAL,
          "the value of broadcast " + id + " can't be fetched from the driver: " + e.getMessage(),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KilnException(
          "TASK_INTERRUPTED",
          KilnException.Kind.RESOURCES,
          "a task was interrupted while it fetched broadcast " + id,
          e);
    }
  }

  @Override
  public void drop(long id) {
    storage.removeBroadcast(id);
  }
}
