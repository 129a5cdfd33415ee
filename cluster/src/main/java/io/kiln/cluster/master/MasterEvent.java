package io.kiln.cluster.master;

import io.kiln.base.machine.Address;
import io.kiln.cluster.protocol.MasterMessage;
import java.time.Instant;
import java.util.List;

/// What happens around a master.
public sealed interface MasterEvent extends MasterMessage {

  /// This master leads from now on.
  ///
  /// @param epoch greater than that of any master that was elected before
  /// @param entries the last of each key that masters before have persisted, without
  ///     [MasterEntry.Removed]
  /// @param now what the clock on the wall says; the machine has no other
  record Elected(long epoch, List<MasterEntry> entries, Instant now) implements MasterEvent {}

  /// Another leads, or may: this one forgets everything.
  record Deposed(long epoch) implements MasterEvent {}

  /// The link to whoever receives at this address is closed, or could not be made.
  record LinkLost(Address address) implements MasterEvent {}

  /// What the clock on the wall says now; once in a while.
  record TimeTold(Instant now) implements MasterEvent {}

  // its own timers

  record RecoveryDue(long epoch) implements MasterEvent {}

  /// Looks who has been silent for too long.
  record SilenceDue(long epoch) implements MasterEvent {}

  /// A lost link has not come back.
  record WorkerLinkDue(long epoch, String workerId, long session) implements MasterEvent {}

  record ApplicationLinkDue(long epoch, String applicationId, long session)
      implements MasterEvent {}

  /// An application whose executors failed may have the next.
  record RetryDue(long epoch, String applicationId) implements MasterEvent {}

  /// A worker that could not start executors is given some again.
  record WorkerRestDue(long epoch, String workerId) implements MasterEvent {}

  /// An application without executors hears why.
  record WaitingDue(long epoch, String applicationId) implements MasterEvent {}
}
