package io.kiln.cluster.session;

import io.kiln.base.machine.Address;
import io.kiln.cluster.protocol.Stamp;
import java.util.Optional;

/// Which master a worker or an application listens to, and whether it has missed a word. Mutable,
/// one machine's.
///
/// ```
///                     a master of the session, of no lower epoch
///  searching ────────────────────────────────────────────────────► following
///      ▲  a gap in the numbers, a lost link, silence, a newer epoch      │
///      └─────────────────────────────────────────────────────────────────┘
/// ```
public final class FollowedMaster {

  /// What to do with a message.
  public enum Verdict {
    /// It is the next word of the master that leads.
    TAKE,
    /// It is stale, or came before.
    DROP,
    /// Words before it were lost.
    REGISTER_AGAIN
  }

  private long session;
  private long epoch;
  private long seen;
  private long heardNanos;
  private Optional<Address> master = Optional.empty();

  /// Starts a new session; what was said before is stale.
  ///
  /// @return its number
  public long search() {
    master = Optional.empty();
    seen = 0;
    return ++session;
  }

  /// Whether a master has registered this session.
  public boolean isFollowing() {
    return master.isPresent();
  }

  /// Empty while it searches.
  public Optional<Address> master() {
    return master;
  }

  public long session() {
    return session;
  }

  /// The newest that it has heard of; 0 at first.
  public long epoch() {
    return epoch;
  }

  /// Number of the last message that was taken.
  public long seen() {
    return seen;
  }

  /// A master of this epoch leads, as somebody says.
  ///
  /// @return whether that is news: no master of that epoch, or of a newer one, is followed
  public boolean hear(long newEpoch) {
    if (newEpoch < epoch || (newEpoch == epoch && isFollowing())) {
      return false;
    }
    epoch = newEpoch;
    return true;
  }

  /// A master has answered a heartbeat.
  public void heartbeatSeen(long seenSession, long seenEpoch, long nowNanos) {
    if (seenSession == session && seenEpoch == epoch) {
      heardNanos = nowNanos;
    }
  }

  /// For how long nothing was heard of the master.
  public long silentNanos(long nowNanos) {
    return nowNanos - heardNanos;
  }

  /// Whether a master that says that it stands by is the one that is followed.
  public boolean isStandby(long standbySession) {
    return standbySession == session && isFollowing();
  }

  /// Whether a master that says that it has no such session is to be registered with.
  public boolean isWithoutSession(long missingSession, long itsEpoch) {
    return missingSession == session && itsEpoch >= epoch;
  }

  /// The first message of a session, from a master.
  public Verdict registered(Stamp stamp, Address from, long nowNanos) {
    boolean isNewer = stamp.epoch() > epoch || !isFollowing();
    if (stamp.session() != session || stamp.epoch() < epoch) {
      return Verdict.DROP;
    }
    if (isNewer && stamp.number() == 1) {
      epoch = stamp.epoch();
      master = Optional.of(from);
      seen = 1;
      heardNanos = nowNanos;
      return Verdict.TAKE;
    }
    return next(stamp, nowNanos);
  }

  /// Any other message with a stamp.
  public Verdict next(Stamp stamp, long nowNanos) {
    if (stamp.session() != session || stamp.epoch() != epoch || !isFollowing()) {
      return Verdict.DROP;
    }
    if (stamp.number() <= seen) {
      return Verdict.DROP;
    }
    if (stamp.number() > seen + 1) {
      return Verdict.REGISTER_AGAIN;
    }
    seen = stamp.number();
    heardNanos = nowNanos;
    return Verdict.TAKE;
  }
}
