package io.kiln.api.listener;

/// Hears what happens in a context, in order, on a thread of its own. A listener should return
/// soon. Events wait for it in a bounded queue; when the queue is full, events are dropped, with a
/// warning.
@FunctionalInterface
public interface KilnListener {
  void onEvent(KilnEvent event);
}
