package io.kiln.cluster.protocol;

import io.kiln.base.machine.Address;
import java.util.List;
import java.util.Optional;

/// What an application's client says to a master. The first two components say who speaks, and
/// since when.
public sealed interface FromApplication extends ToMaster {
  long incarnation();

  long session();

  /// Is sent to all masters, again and again until one answers; and whenever something may have
  /// been lost. Answered by [ToApplication.RegisteredApplication],
  /// [ToApplication.RegisterApplicationFailed], [ToApplication.ApplicationRemoved] if it is over,
  /// or [MasterInStandby].
  ///
  /// @param applicationId that a master gave before
  /// @param request the newest of its requests
  record RegisterApplication(
      long incarnation,
      long session,
      Optional<String> applicationId,
      Address address,
      ApplicationDescription application,
      ExecutorRequest request)
      implements FromApplication {

    /// The same of an application of this user.
    public RegisterApplication ofUser(String user) {
      return new RegisterApplication(
          incarnation, session, applicationId, address, application.ofUser(user), request);
    }
  }

  /// Answered by [ToApplication.ReconnectApplication] if the master knows no such session, and
  /// otherwise by [ToApplication.HeartbeatSeen].
  ///
  /// @param epoch of the master that the client follows
  /// @param seen number of the last message that was handled
  /// @param request as in [RegisterApplication]
  /// @param unwanted executors that were asked to be killed and are still there
  record ApplicationHeartbeat(
      long incarnation,
      long session,
      long epoch,
      String applicationId,
      Address address,
      long seen,
      ExecutorRequest request,
      List<Integer> unwanted)
      implements FromApplication {}

  /// How many executors the application wants from now on. Of those that it has, none is taken:
  /// which it can do without, it says by [KillExecutors].
  record RequestExecutors(
      long incarnation, long session, String applicationId, ExecutorRequest request)
      implements FromApplication {}

  /// These are to end. Others take their places, if the application then has fewer than it wants.
  record KillExecutors(
      long incarnation, long session, String applicationId, List<Integer> executorIds)
      implements FromApplication {}

  /// It is over. Answered by [ToApplication.ApplicationRemoved].
  ///
  /// @param address where to answer
  record UnregisterApplication(
      long incarnation, long session, String applicationId, Address address)
      implements FromApplication {}
}
