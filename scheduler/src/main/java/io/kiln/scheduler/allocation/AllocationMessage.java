package io.kiln.scheduler.allocation;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import java.util.List;

/// Everything that reaches the allocation machine.
///
/// An executor's id is used for one process; its incarnation is that of the process at the other
/// end of the link.
public sealed interface AllocationMessage extends Message {

  // from the application

  /// How many executors there should be from now on, and where. Until the first, none is asked for
  /// and none is too many.
  record TargetChanged(ExecutorTarget target) implements AllocationMessage {}

  /// So many executors more than now there should be.
  record TargetRaised(int executors) implements AllocationMessage {}

  /// These are to end, and there should be so many fewer: nobody takes their places.
  record ExecutorsUnwanted(List<String> executorIds) implements AllocationMessage {}

  // from the launcher and from whoever watches processes

  /// What the cluster manager says of the application's waiting; empty once that is over.
  record ManagerSaid(String text) implements AllocationMessage {}

  /// The cluster manager runs nothing for this application any more.
  record ManagerGaveUp(String why) implements AllocationMessage {}

  /// The executor exists, and its process is being started. Its time to register starts here: a
  /// request may wait for room in the cluster for as long as it must. May come again.
  record ExecutorLaunching(String executorId) implements AllocationMessage {}

  /// The executor is about to be taken away, by its machine or its worker: it is to move what it
  /// has to others and to go. May come again.
  ///
  /// @param why for people; completes "because …"
  record ExecutorDecommissioned(String executorId, String why) implements AllocationMessage {}

  /// There is, and will be, no process.
  record LaunchFailed(String executorId, String why) implements AllocationMessage {}

  /// The process is no more. Comes for those that were told to stop too.
  record ProcessExited(String executorId, ExecutorExit exit) implements AllocationMessage {}

  // from the executors' links

  /// @param incarnation of the process; makes older messages stale
  /// @param address where the executor takes its messages
  record ExecutorRegistered(
      String executorId, long incarnation, Address address, String host, int slots)
      implements AllocationMessage {}

  record Heartbeat(String executorId, long incarnation) implements AllocationMessage {}

  /// The executor has nothing more that others need, as far as it could be moved, and goes.
  record ExecutorLeaves(String executorId, long incarnation) implements AllocationMessage {}

  /// The link to the executor is gone for good.
  record LinkLost(String executorId, long incarnation, String why) implements AllocationMessage {}

  // from the task machine

  /// So many tasks wait, and none runs anywhere; 0 once that is over.
  record TasksStarving(int tasks) implements AllocationMessage {}

  // from the machine's own timers

  /// The executor should have registered by now.
  record RegistrationDue(String executorId) implements AllocationMessage {}

  /// The executor should have been heard of by now.
  record HeartbeatDue(String executorId) implements AllocationMessage {}

  /// The executor should have left by now.
  record LeaveDue(String executorId) implements AllocationMessage {}

  /// Whoever watches the process should have said by now why the link is gone.
  record ReasonDue(String executorId) implements AllocationMessage {}

  /// Executors may be asked for again.
  record RelaunchDue() implements AllocationMessage {}

  /// Those who watch are to hear that tasks starve.
  record WarningDue() implements AllocationMessage {}

  /// Tasks have starved for as long as they may.
  record ResourcesDue() implements AllocationMessage {}
}
