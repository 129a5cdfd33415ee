package io.kiln.cluster;

import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ApplicationDescription.Share;
import io.kiln.cluster.protocol.Command;
import io.kiln.cluster.protocol.DriverDescription;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What tests submit and register.
public final class Descriptions {
  public static final Command COMMAND =
      new Command("Main", List.of(), Map.of(), List.of(), List.of(), List.of());

  private Descriptions() {}

  /// @param executorCores, maxCores 0: not said
  public static ApplicationDescription application(
      int maxCores, int executorCores, int memoryMebibytes) {
    return application(maxCores, executorCores, memoryMebibytes, Share.DEFAULT);
  }

  public static ApplicationDescription application(
      int maxCores, int executorCores, int memoryMebibytes, Share share) {
    return new ApplicationDescription(
        "word count",
        Optional.of(maxCores).filter(cores -> cores > 0),
        Optional.of(executorCores).filter(cores -> cores > 0),
        memoryMebibytes,
        COMMAND,
        Map.of(),
        "user",
        "",
        share,
        Optional.empty());
  }

  /// One that runs in a driver of the cluster.
  public static ApplicationDescription applicationOf(String driverId) {
    ApplicationDescription plain = application(4, 4, 100);
    return new ApplicationDescription(
        plain.name(),
        plain.maxCores(),
        plain.executorCores(),
        plain.executorMemoryMebibytes(),
        plain.command(),
        plain.properties(),
        plain.user(),
        plain.uiUrl(),
        plain.share(),
        Optional.of(driverId));
  }

  public static DriverDescription driver(int cores, int memoryMebibytes, boolean supervise) {
    return new DriverDescription(
        "file:/app.jar", memoryMebibytes, cores, supervise, COMMAND, Map.of());
  }
}
