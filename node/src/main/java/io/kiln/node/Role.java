package io.kiln.node;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.cluster.client.ClientEvent;
import io.kiln.cluster.master.MasterEvent;
import io.kiln.cluster.protocol.ToApplication;
import io.kiln.cluster.protocol.ToMaster;
import io.kiln.cluster.protocol.ToWorker;
import io.kiln.cluster.worker.WorkerEvent;

/// What a process of a standalone cluster is; also the name of its machine.
public enum Role {
  MASTER("Master", ToMaster.class),
  WORKER("Worker", ToWorker.class),
  APPLICATION("AppClient", ToApplication.class);

  private final String machine;
  private final Class<? extends Message> received;

  Role(String machine, Class<? extends Message> received) {
    this.machine = machine;
    this.received = received;
  }

  public String machine() {
    return machine;
  }

  /// The machine of this role in a process.
  ///
  /// @param process `host:port` at which it listens
  public Address at(String process) {
    return new Address(process, machine);
  }

  /// Whether other processes may say this to it.
  boolean takes(Message message) {
    return received.isInstance(message);
  }

  /// What its machine is told of a link that is gone.
  Message linkLost(Address other) {
    return switch (this) {
      case MASTER -> new MasterEvent.LinkLost(other);
      case WORKER -> new WorkerEvent.LinkLost(other);
      case APPLICATION -> new ClientEvent.LinkLost(other);
    };
  }
}
