package io.kiln.base.machine;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// What a machine may do while it handles one message. Effects are recorded and leave, in order,
/// once the handler has returned; a handler that throws leaves nothing behind. Valid only during
/// [Machine#handle].
public interface Turn {

  /// The host's clock. Only differences mean anything.
  long nowNanos();

  /// This machine's own stream.
  RandomGenerator random();

  void send(Address to, Message message);

  /// Delivers `onFire` to this machine after `delay`. A timer started again under the same key
  /// replaces the first.
  void startTimer(Object key, Duration delay, Message onFire);

  void cancelTimer(Object key);

  /// Keeps the entry: all entries of a turn are durable, together, before anything that it sends
  /// leaves. Where they can't be kept, nothing leaves, and the host stops; or, where this machine
  /// may keep nothing any more, the host tells it so, and it forgets what it has not kept.
  ///
  /// @throws IllegalStateException if the machine's host keeps nothing for it
  void persist(Entry entry);
}
