package io.kiln.submit.cluster;

import java.util.List;
import java.util.Map;

/// A driver that a cluster is to run.
///
/// @param resource the URI of the application's jar
/// @param arguments the program's own
/// @param settings all that the submission knows, secrets too
public record DriverRequest(
    String resource, String mainClass, List<String> arguments, Map<String, String> settings) {

  /// Without what may be secret.
  @Override
  public String toString() {
    return "DriverRequest[" + mainClass + " of " + resource + "]";
  }
}
