package io.kiln.submit;

import io.kiln.launcher.CommandLine;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.SubmitOption;
import io.kiln.launcher.SubmitSettings;
import io.kiln.process.ParentWatch;
import io.kiln.submit.cluster.ClusterClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The main class of a driver's JVM in local and client mode.
///
/// Runs on the JVM's main thread: understands the command line, prepares what the program needs,
/// runs the program's main method on the same thread, and ends the process with its exit code.
public final class SparkSubmit {

  private SparkSubmit() {}

  public static void main(String[] arguments) {
    Map<String, String> environment = System.getenv();
    if (environment.containsKey(LauncherLink.VARIABLE)) {
      LauncherLink.open(environment.get(LauncherLink.VARIABLE));
    }
    try {
      submit(CommandLine.parse(List.of(arguments)), environment);
    } catch (Refusal refusal) {
      System.err.println("Error: " + refusal.getMessage());
      LauncherLink.failed(refusal.getMessage());
      System.exit(Refusal.EXIT_CODE);
    }
  }

  private static void submit(CommandLine line, Map<String, String> environment) {
    if (line.has(SubmitOption.USAGE_ERROR)) {
      System.err.print(Usage.text(new ClusterManagers().all()));
      System.exit(Refusal.EXIT_CODE);
    }
    if (line.has(SubmitOption.HELP)) {
      System.out.print(Usage.text(new ClusterManagers().all()));
      return;
    }
    if (line.has(SubmitOption.VERSION)) {
      System.out.print(Usage.version());
      return;
    }
    ClusterManagers managers = new ClusterManagers();
    SubmitSettings settings =
        SubmissionRules.settings(line, environment, confDirectory(environment), managers);
    if (ClusterSubmission.isMeant(line, settings)) {
      for (String warning : settings.warnings()) {
        System.err.println("Warning: " + warning);
      }
      ClusterClient client =
          managers
              .of(settings.value("spark.master"), "--master")
              .client()
              .orElseThrow(); // by the rules
      int exitCode = ClusterSubmission.run(line, settings, client);
      if (exitCode != 0) {
        System.exit(exitCode);
      }
      return;
    }
    Submission submission =
        Submission.prepare(line, settings, environment, confDirectory(environment));
    for (String warning : submission.settings().warnings()) {
      System.err.println("Warning: " + warning);
    }
    for (String warning : submission.dependencies().warnings()) {
      System.err.println("Warning: " + warning);
    }
    if (line.has(SubmitOption.VERBOSE)) {
      System.err.print(VerboseReport.of(submission));
    }
    useLogConfiguration(confDirectory(environment));
    ParentWatch.start(Refusal.EXIT_CODE);
    int exitCode = new ProgramRun(submission).run();
    // With no other thread left the JVM ends by itself, which is faster: System.exit looks through
    // every jar of the class path for a logger to tell.
    if (exitCode != 0 || LeftoverThreads.areThere()) {
      System.exit(exitCode);
    }
  }

  private static void useLogConfiguration(Path confDirectory) {
    String property = "log4j2.configurationFile";
    Path file = confDirectory.resolve("log4j2.properties");
    if (System.getProperty(property) == null && Files.isRegularFile(file)) {
      System.setProperty(property, file.toUri().toString());
    }
  }

  private static Path confDirectory(Map<String, String> environment) {
    String conf = environment.getOrDefault("SPARK_CONF_DIR", "");
    return conf.isEmpty()
        ? Path.of(environment.getOrDefault("SPARK_HOME", "."), "conf")
        : Path.of(conf);
  }
}
