package io.kiln.cluster.protocol;

import java.util.Map;
import java.util.Optional;

/// What an application is and wants.
///
/// @param maxCores that it may have, all executors together; empty: the master's default
/// @param executorCores of each executor; empty: one executor a worker, as large as can be
/// @param executorMemoryMebibytes of each executor
/// @param command that starts an executor
/// @param properties secrets that executors are given, by name: never shown, never logged
/// @param user who started it
/// @param uiUrl of its own web pages; may be empty
/// @param share in the cluster
/// @param driverId of the driver that it runs in, if the cluster runs that
public record ApplicationDescription(
    String name,
    Optional<Integer> maxCores,
    Optional<Integer> executorCores,
    int executorMemoryMebibytes,
    Command command,
    Map<String, String> properties,
    String user,
    String uiUrl,
    Share share,
    Optional<String> driverId) {

  /// How an application stands to others that want executors.
  ///
  /// @param pool its name; pools share the cluster by their weights
  /// @param priority within the pool: the higher goes first, and of equals the older
  public record Share(String pool, int priority) {
    public static final Share DEFAULT = new Share("default", 0);
  }

  /// The same, of this user.
  public ApplicationDescription ofUser(String other) {
    return new ApplicationDescription(
        name,
        maxCores,
        executorCores,
        executorMemoryMebibytes,
        command,
        properties,
        other,
        uiUrl,
        share,
        driverId);
  }

  /// Leaves out the values of the properties.
  @Override
  public String toString() {
    return "ApplicationDescription[" + name + " of " + user + "]";
  }
}
