package io.kiln.standalone.node;

import java.util.Optional;

/// Which of the cluster's drivers a process is: its worker tells it, and it tells its master, so
/// that a driver and its application are not told to have ended differently.
public final class OwnDriver {
  private static final String PROPERTY = "kiln.driver.id";

  private OwnDriver() {}

  /// Tells it to a JVM that is started.
  public static String option(String driverId) {
    return "-D" + PROPERTY + "=" + driverId;
  }

  /// This process's; empty if no worker has started it.
  public static Optional<String> id() {
    return Optional.ofNullable(System.getProperty(PROPERTY));
  }
}
