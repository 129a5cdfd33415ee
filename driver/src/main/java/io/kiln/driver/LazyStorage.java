package io.kiln.driver;

import io.kiln.storage.LocalStorage;
import java.util.Optional;
import java.util.function.Supplier;

/// The storage of this process, opened when something is first stored: many jobs store nothing.
/// Thread-safe.
final class LazyStorage implements Supplier<LocalStorage>, AutoCloseable {
  private final Supplier<LocalStorage> opener;
  private volatile LocalStorage opened;
  private boolean closed;

  LazyStorage(Supplier<LocalStorage> opener) {
    this.opener = opener;
  }

  @Override
  public LocalStorage get() {
    LocalStorage storage = opened;
    return storage == null ? open() : storage;
  }

  private synchronized LocalStorage open() {
    if (closed) {
      throw JobRunner.closedException();
    }
    if (opened == null) {
      opened = opener.get();
    }
    return opened;
  }

  /// Empty while nothing was stored.
  Optional<LocalStorage> ifOpen() {
    return Optional.ofNullable(opened);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (opened != null) {
      opened.close();
    }
  }
}
