package io.kiln.network.transport;

import io.netty.channel.Channel;
import java.util.EnumSet;
import java.util.Set;

/// Stops reading from one connection as long as there is a reason to. Thread-safe.
final class ReadingPause {
  /// Why nothing is read.
  enum Reason {
    QUESTIONS_WAIT,
    NO_ROOM
  }

  private final Channel channel;

  // guarded by this
  private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);

  ReadingPause(Channel channel) {
    this.channel = channel;
  }

  /// Idempotent.
  synchronized void begin(Reason reason) {
    reasons.add(reason);
    channel.config().setAutoRead(false);
  }

  /// Idempotent.
  synchronized void end(Reason reason) {
    if (reasons.remove(reason) && reasons.isEmpty()) {
      channel.config().setAutoRead(true);
    }
  }
}
