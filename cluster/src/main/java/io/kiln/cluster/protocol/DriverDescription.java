package io.kiln.cluster.protocol;

import java.util.Map;

/// A driver that the cluster runs.
///
/// @param jarUrl of the application's jar, fetched by the worker
/// @param supervise whether it is started again when it fails
/// @param command that starts it
/// @param properties `spark.*` settings; may hold secrets: never shown, never logged
public record DriverDescription(
    String jarUrl,
    int memoryMebibytes,
    int cores,
    boolean supervise,
    Command command,
    Map<String, String> properties) {

  private static final String USER_VARIABLE = "SPARK_USER";

  /// Who submitted it, as he says; empty if he doesn't.
  public String user() {
    return command.environment().getOrDefault(USER_VARIABLE, "");
  }

  /// Leaves out the values of the properties.
  @Override
  public String toString() {
    return "DriverDescription[" + command.mainClass() + " of " + jarUrl + "]";
  }
}
