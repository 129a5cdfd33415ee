package io.kiln.cluster.protocol;

import io.kiln.base.machine.Address;
import java.util.List;

/// Questions of whoever submits and looks: `spark-submit`, the REST gateway, the pages. Each is
/// answered with one [ToClient] of the same `requestId`.
public sealed interface FromClient extends ToMaster {
  Address replyTo();

  String requestId();

  /// A request that comes again, with the same id, submits nothing more: it gets the same driver.
  record RequestSubmitDriver(Address replyTo, String requestId, DriverDescription driver)
      implements FromClient {}

  record RequestKillDriver(Address replyTo, String requestId, String driverId)
      implements FromClient {}

  record RequestKillAllDrivers(Address replyTo, String requestId) implements FromClient {}

  record RequestDriverStatus(Address replyTo, String requestId, String driverId)
      implements FromClient {}

  record RequestKillApplication(Address replyTo, String requestId, String applicationId)
      implements FromClient {}

  /// Forgets drivers and applications that are over.
  record RequestClearCompleted(Address replyTo, String requestId) implements FromClient {}

  /// @param hosts whose workers shall take nothing more
  record RequestDecommissionWorkers(Address replyTo, String requestId, List<String> hosts)
      implements FromClient {}

  /// Answered in every state.
  record RequestMasterState(Address replyTo, String requestId) implements FromClient {}
}
