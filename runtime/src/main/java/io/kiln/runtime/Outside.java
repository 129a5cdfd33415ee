package io.kiln.runtime;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;

/// Where messages for other processes leave a host.
@FunctionalInterface
public interface Outside {
  /// As [Edge#deliver]: called on the host's thread, returns at once, and must not throw.
  void deliver(Address to, Message message);
}
