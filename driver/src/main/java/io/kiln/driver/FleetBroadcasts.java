package io.kiln.driver;

import io.kiln.driver.cluster.ExecutorFleet;
import io.kiln.storage.LocalStorage;
import java.util.Optional;

/// Broadcasts for executors in processes of their own: the driver's storage has each as bytes, and
/// executors fetch those from it and from each other. Thread-safe.
///
/// @param storage of the driver
record FleetBroadcasts(LazyStorage storage, ExecutorFleet fleet) implements BroadcastCopies {

  @Override
  public void publish(long id, Object value) {
    storage.get().shared().publish(id, value);
  }

  @Override
  public void drop(long id) {
    fleet.dropBroadcast(id);
  }

  @Override
  public void remove(long id) {
    Optional<LocalStorage> opened = storage.ifOpen();
    if (opened.isPresent()) {
      opened.get().shared().withdraw(id);
    }
    fleet.dropBroadcast(id);
  }
}
