package io.kiln.runtime;

import io.kiln.base.machine.Message;
import java.util.List;

/// Where messages leave a host: a job's client, an executor, the status store, a connection.
@FunctionalInterface
public interface Edge {
  /// Takes what one turn of a machine sent here, in order. Called on the host's thread: it hands
  /// the messages over and returns at once. An edge that throws stops the host, as a machine does;
  /// but where another host has stopped, what was meant for it is dropped.
  ///
  /// @param batch not empty; the edge may keep it
  void deliver(List<Message> batch);
}
