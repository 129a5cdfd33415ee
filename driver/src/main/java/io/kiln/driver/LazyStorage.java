package io.kiln.driver;

import io.kiln.storage.LocalStorage;
import io.kiln.storage.StorageOptions;
import java.util.Optional;
import java.util.function.Supplier;

/// The storage of this process, opened when something is first stored: many jobs store nothing.
/// Thread-safe.
final class LazyStorage implements Supplier<LocalStorage>, AutoCloseable {
  private final Supplier<StorageOptions> options;
  private final ClassLoader applicationLoader;
  private volatile LocalStorage opened;
  private boolean closed;

  LazyStorage(Supplier<StorageOptions> options, ClassLoader applicationLoader) {
    this.options = options;
    this.applicationLoader = applicationLoader;
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
      opened = LocalStorage.open(options.get(), applicationLoader);
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
