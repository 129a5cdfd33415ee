package io.kiln.api.listener;

/// Told what happens in a context, in order, on a thread of its own. It should return soon: events
/// wait in a bounded queue, and are dropped, with a warning, when it is full.
@FunctionalInterface
public interface KilnListener {
  void onEvent(KilnEvent event);
}
