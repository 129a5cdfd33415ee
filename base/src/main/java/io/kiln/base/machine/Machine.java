package io.kiln.base.machine;

/// A deterministic part of the system: private state, one message at a time, effects only through
/// its [Turn].
///
/// The host calls [#handle] from one thread and never again after it has thrown. The same machine
/// runs under the real host and under the simulator.
///
/// @param <M> the sealed type of the messages that it takes
public interface Machine<M extends Message> {
  void handle(M message, Turn turn);
}
