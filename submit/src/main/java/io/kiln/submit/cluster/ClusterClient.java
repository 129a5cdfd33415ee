package io.kiln.submit.cluster;

import java.util.Map;

/// Reaches the clusters of one [ClusterManager]. Used by one thread.
///
/// What people are to know while it happens goes to standard error, a line each. What can't be done
/// is a [io.kiln.launcher.Refusal].
public interface ClusterClient {
  /// Has the cluster run a driver.
  ///
  /// @return what this process ends with: 0, or where it is to wait for the driver, its exit code
  int submit(DriverRequest driver);

  /// Tells how a driver is.
  ///
  /// @param settings of this submission, `spark.master` among them
  void status(String submissionId, Map<String, String> settings);

  void kill(String submissionId, Map<String, String> settings);
}
