package io.kiln.cluster.master;

import io.kiln.base.machine.Address;
import io.kiln.cluster.protocol.Stamp;

/// What a master knows of its talk with one worker or application: one session. Mutable, the
/// master's thread only.
final class PeerSession {
  private final Address address;
  private final long id;
  private long sent;
  private long sentAtLastHeartbeat;
  private long heardNanos;
  private boolean lost;

  PeerSession(Address address, long id, long nowNanos) {
    this.address = address;
    this.id = id;
    this.heardNanos = nowNanos;
  }

  Address address() {
    return address;
  }

  long id() {
    return id;
  }

  Stamp nextStamp(long epoch) {
    return new Stamp(epoch, id, ++sent);
  }

  /// @param seen the last number that the other side handled
  /// @return whether all is well: what was sent before the heartbeat before has arrived
  boolean heartbeat(long seen, long nowNanos) {
    boolean complete = !lost && seen >= sentAtLastHeartbeat;
    sentAtLastHeartbeat = sent;
    heardNanos = nowNanos;
    return complete;
  }

  void heard(long nowNanos) {
    heardNanos = nowNanos;
  }

  long heardNanos() {
    return heardNanos;
  }

  /// The connection is gone; only a new session ends that.
  void lose() {
    lost = true;
  }

  boolean isLost() {
    return lost;
  }
}
