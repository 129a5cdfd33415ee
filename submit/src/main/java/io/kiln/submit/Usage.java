package io.kiln.submit;

import io.kiln.launcher.OptionEffects.Effect;
import io.kiln.launcher.SubmitOption;
import io.kiln.submit.cluster.ClusterManager;
import java.util.ArrayList;
import java.util.List;

/// The texts of `--help` and `--version`, made from the table of options and what the cluster
/// managers say of each.
final class Usage {

  private Usage() {}

  static String text(List<ClusterManager> managers) {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        Usage: spark-submit [options] APPLICATION-JAR [arguments]
               run-example [options] CLASS [arguments]
               spark-shell [options] [-i FILE]

        An option's value may also be joined to it: --name=VALUE. All that follows the
        application's jar goes to the application.
        """);
    for (SubmitOption.Group group : SubmitOption.Group.values()) {
      text.append('\n').append(group.title()).append(":\n");
      for (SubmitOption option : SubmitOption.values()) {
        if (option.group() == group) {
          text.append(
              String.format(
                  "  %-36s %s%n",
                  option.spelling() + " " + option.valueName(),
                  option.help() + where(option, managers)));
        }
      }
    }
    text.append("\nMasters:\n");
    for (ClusterManager manager : managers) {
      text.append(String.format("  %-36s %s%n", manager.masterForm(), manager.title()));
    }
    return text.toString();
  }

  /// In brackets, where an option has an effect; empty if that is everywhere.
  private static String where(SubmitOption option, List<ClusterManager> managers) {
    List<String> places = new ArrayList<>();
    boolean everywhere = true;
    for (ClusterManager manager : managers) {
      boolean hasClusterMode = manager.client().isPresent();
      boolean client = manager.effect(option, false) == Effect.APPLIES;
      boolean cluster = hasClusterMode && manager.effect(option, true) == Effect.APPLIES;
      everywhere &= client && (cluster || !hasClusterMode);
      if (client || cluster) {
        String mode =
            client == cluster || !hasClusterMode
                ? ""
                : client ? " in client mode" : " in cluster mode";
        places.add(manager.word() + mode);
      }
    }
    return everywhere
        ? ""
        : places.isEmpty() ? " (no effect here)" : " (" + String.join(", ", places) + ")";
  }

  static String version() {
    String version = Usage.class.getPackage().getImplementationVersion();
    return String.format(
        "Kiln version %s, on Java %s (%s)%n",
        version == null ? "(not packaged)" : version,
        System.getProperty("java.version"),
        System.getProperty("java.vendor"));
  }
}
