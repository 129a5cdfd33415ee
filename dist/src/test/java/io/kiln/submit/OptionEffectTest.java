package io.kiln.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.launcher.CommandLine;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.SubmitOption;
import io.kiln.launcher.SubmitSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// An option that is accepted changes what is run, or how; or it is refused, or warned of.
class OptionEffectTest {

  /// They answer, or print, and run nothing or the same.
  private static final Set<SubmitOption> TELLING =
      EnumSet.of(
          SubmitOption.HELP,
          SubmitOption.VERSION,
          SubmitOption.USAGE_ERROR,
          SubmitOption.VERBOSE,
          SubmitOption.KILL,
          SubmitOption.STATUS,
          SubmitOption.LOAD_SPARK_DEFAULTS);

  /// They are looked up on the network where the program starts: their settings tell.
  private static final Set<SubmitOption> RESOLVED =
      EnumSet.of(SubmitOption.PACKAGES, SubmitOption.EXCLUDE_PACKAGES, SubmitOption.REPOSITORIES);

  @TempDir static Path directory;

  record Case(SubmitOption option, String master, boolean clusterMode) {}

  @BeforeAll
  static void writeFiles() throws IOException {
    for (String file : List.of("some.txt", "keytab", "modules.py")) {
      Files.writeString(directory.resolve(file), "x");
    }
    for (String jar : List.of("app.jar", "other.jar")) {
      new JarOutputStream(Files.newOutputStream(directory.resolve(jar)), new Manifest()).close();
    }
    Files.writeString(directory.resolve("some.zip"), "x");
    Files.writeString(directory.resolve("properties"), "spark.from.file x\n");
  }

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (SubmitOption option : SubmitOption.values()) {
      if (!TELLING.contains(option)) {
        for (String master : List.of("local[3]", "local-cluster[2,1,512]", "spark://h:7077")) {
          cases.add(new Case(option, master, false));
        }
        cases.add(new Case(option, "spark://h:7077", true));
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anAcceptedOptionHasAnEffect(Case each) {
    String without = effect(each, List.of());
    String with;
    List<String> given = new ArrayList<>(List.of(each.option().spelling()));
    if (each.option().takesValue()) {
      given.add(value(each.option()));
    }
    if (each.option() == SubmitOption.KEYTAB) {
      given.addAll(List.of("-c", "spark.kerberos.principal=p"));
    } else if (each.option() == SubmitOption.PRINCIPAL) {
      given.addAll(List.of("-c", "spark.kerberos.keytab=" + directory.resolve("keytab")));
    }
    try {
      with = effect(each, given);
    } catch (Refusal e) {
      assertThat(e.getMessage()).contains(each.option().spelling()).hasLineCount(1);
      return;
    }
    assertThat(with).as("what is run, without and with it").isNotEqualTo(without);
  }

  private static String value(SubmitOption option) {
    return switch (option) {
      case MASTER -> "spark://other:7077";
      case DEPLOY_MODE -> "client";
      case CONF -> "spark.x=y";
      case CLASS -> "p.Other";
      case JARS -> directory.resolve("other.jar").toString();
      case FILES -> directory.resolve("some.txt").toString();
      case ARCHIVES -> directory.resolve("some.zip").toString();
      case PY_FILES -> directory.resolve("modules.py").toString();
      case PROPERTIES_FILE -> directory.resolve("properties").toString();
      case KEYTAB -> directory.resolve("keytab").toString();
      case PACKAGES -> "g:a:1";
      case EXCLUDE_PACKAGES -> "g:a";
      case REPOSITORIES -> "http://r";
      default ->
          option.valueName().equals("NUMBER")
              ? "3"
              : option.valueName().equals("SIZE") ? "3g" : "some-value";
    };
  }

  /// All by which one run differs from another, and all that the user is told.
  private static String effect(Case each, List<String> given) {
    List<String> words = new ArrayList<>();
    if (each.option() != SubmitOption.MASTER || given.isEmpty()) {
      words.addAll(List.of("--master", each.master()));
    }
    if (each.clusterMode() && (each.option() != SubmitOption.DEPLOY_MODE || given.isEmpty())) {
      words.addAll(List.of("--deploy-mode", "cluster"));
    }
    if (each.option() != SubmitOption.CLASS || given.isEmpty()) {
      words.addAll(List.of("--class", "p.Main"));
    }
    words.addAll(given);
    words.add(directory.resolve("app.jar").toString());
    CommandLine line = CommandLine.parse(words);
    SubmitSettings settings =
        SubmissionRules.settings(line, Map.of(), directory.resolve("conf"), new ClusterManagers());
    String told = settings.warnings().toString();
    if (ClusterSubmission.isMeant(line, settings)) {
      var driver = ClusterSubmission.driver(line, settings);
      return told + driver.mainClass() + driver.arguments() + driver.settings();
    }
    if (RESOLVED.contains(each.option())) {
      return told + settings.all();
    }
    Submission submission = Submission.prepare(line, settings, Map.of(), directory.resolve("conf"));
    return told
        + submission.mainClass()
        + submission.classPath()
        + submission.proxyUser()
        + submission.settings().all();
  }
}
