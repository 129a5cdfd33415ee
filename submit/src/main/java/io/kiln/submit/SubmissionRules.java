package io.kiln.submit;

import io.kiln.launcher.CommandLine;
import io.kiln.launcher.OptionEffects;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.SubmitOption;
import io.kiln.launcher.SubmitSettings;
import io.kiln.submit.cluster.ApplicationKind;
import io.kiln.submit.cluster.ClusterManager;
import io.kiln.submit.logging.LogLevel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What holds for every submission, whichever cluster manager it goes to: what contradicts itself
/// is refused here, before anything is looked for.
final class SubmissionRules {

  private static final String MASTER = "spark.master";
  private static final String DEPLOY_MODE = "spark.submit.deployMode";

  /// What an action looks at, besides its id.
  private static final Set<SubmitOption> OF_ACTIONS =
      EnumSet.of(
          SubmitOption.MASTER,
          SubmitOption.DEPLOY_MODE,
          SubmitOption.CONF,
          SubmitOption.PROPERTIES_FILE,
          SubmitOption.LOAD_SPARK_DEFAULTS,
          SubmitOption.VERBOSE,
          SubmitOption.KILL,
          SubmitOption.STATUS);

  static final String PRINCIPAL = "spark.kerberos.principal";
  static final String KEYTAB = "spark.kerberos.keytab";

  private SubmissionRules() {}

  /// The settings of a submission that makes sense, with master and deploy mode.
  ///
  /// @throws Refusal if it makes none
  static SubmitSettings settings(
      CommandLine line,
      Map<String, String> environment,
      Path confDirectory,
      ClusterManagers managers) {
    SubmitSettings settings = SubmitSettings.resolve(line, environment, confDirectory, managers);
    settings.setDefault(DEPLOY_MODE, "client");
    ClusterManager manager = managers.of(settings.value(MASTER), settings.culprit(MASTER));
    refuseModes(settings, manager);
    refuseKinds(ApplicationKind.of(line), settings, manager);
    refuseOptions(line, settings, manager);
    warnOfActions(line, settings);
    refuseIdentities(line, settings);
    refuseUnknownLogLevel(settings);
    return settings;
  }

  private static void refuseModes(SubmitSettings settings, ClusterManager manager) {
    String mode = settings.value(DEPLOY_MODE);
    if (!mode.equals("cluster") && !mode.equals("client")) {
      throw new Refusal(
          settings.culprit(DEPLOY_MODE) + " must be client or cluster, but is '" + mode + "'");
    }
    if (mode.equals("cluster") && manager.client().isEmpty()) {
      throw new Refusal(
          settings.culprit(DEPLOY_MODE)
              + " is cluster, but "
              + settings.value(MASTER)
              + " runs in this process: leave it out, or choose a cluster's master");
    }
  }

  private static void refuseKinds(
      ApplicationKind kind, SubmitSettings settings, ClusterManager manager) {
    if (manager.runs(kind, settings.isClusterMode())) {
      return;
    }
    boolean inClientMode = manager.runs(kind, false);
    throw new Refusal(
        kind.title()
            + " can't run"
            + (inClientMode ? " in cluster mode" : "")
            + " on "
            + manager.title()
            + (inClientMode ? ": use client mode" : ": choose another master"));
  }

  private static void refuseOptions(
      CommandLine line, SubmitSettings settings, ClusterManager manager) {
    boolean clusterMode = settings.isClusterMode();
    for (SubmitOption option : SubmitOption.values()) {
      boolean refused =
          line.has(option) && manager.effect(option, clusterMode) == OptionEffects.Effect.REFUSED;
      boolean isLesserFault =
          option == SubmitOption.PY_FILES && ApplicationKind.of(line) == ApplicationKind.PYTHON;
      if (refused && !isLesserFault) {
        throw new Refusal(
            option.spelling() + " " + manager.refusal(option, settings.value(MASTER)));
      }
    }
  }

  /// What asks about a submission that is there starts nothing: all that says what to start is
  /// given in vain.
  private static void warnOfActions(CommandLine line, SubmitSettings settings) {
    for (SubmitOption action : List.of(SubmitOption.KILL, SubmitOption.STATUS)) {
      if (!line.has(action)) {
        continue;
      }
      for (SubmitOption option : SubmitOption.values()) {
        if (line.has(option) && !OF_ACTIONS.contains(option)) {
          settings.warn(
              "Ignoring " + option.spelling() + ": " + action.spelling() + " starts nothing");
        }
      }
      if (!line.arguments().isEmpty()) {
        settings.warn(
            "Ignoring "
                + line.arguments().getFirst()
                + " and what follows: "
                + action.spelling()
                + " starts nothing");
      }
    }
  }

  private static void refuseIdentities(CommandLine line, SubmitSettings settings) {
    String principal = settings.value(PRINCIPAL);
    String keytab = settings.value(KEYTAB);
    if (line.has(SubmitOption.PROXY_USER) && (principal != null || keytab != null)) {
      throw new Refusal(
          "--proxy-user can't be used with "
              + settings.culprit(principal != null ? PRINCIPAL : KEYTAB)
              + ": the program runs as the one or as the other");
    }
    if (principal != null && keytab == null) {
      throw new Refusal(
          settings.culprit(PRINCIPAL) + " needs the keytab of that principal: add --keytab FILE");
    }
    if (keytab != null && principal == null) {
      throw new Refusal(
          settings.culprit(KEYTAB) + " needs to know whose keytab it is: add --principal NAME");
    }
    if (line.has(SubmitOption.PROXY_USER) && line.value(SubmitOption.PROXY_USER).isBlank()) {
      throw new Refusal("--proxy-user names nobody: give the name of a user");
    }
    if (keytab != null && !Files.exists(ListedFiles.path(keytab, settings.culprit(KEYTAB)))) {
      throw new Refusal(settings.culprit(KEYTAB) + " names " + keytab + ", which does not exist");
    }
  }

  private static void refuseUnknownLogLevel(SubmitSettings settings) {
    String level = settings.value(LogLevel.SETTING);
    if (level != null && !LogLevel.isKnown(level)) {
      throw new Refusal(
          LogLevel.SETTING
              + " is '"
              + level
              + "', which is no level: use ALL, TRACE, DEBUG, INFO, WARN, ERROR, FATAL or OFF");
    }
  }
}
