package io.kiln.submit;

import io.kiln.base.resource.Resource;
import io.kiln.launcher.CommandLine;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.SubmitOption;
import io.kiln.launcher.SubmitSettings;
import io.kiln.submit.cluster.ApplicationKind;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A program about to run, complete: everything that could be refused has been looked at.
///
/// @param mainClass by its full name
/// @param arguments the program's own
/// @param classPath what the program sees besides the shared jars, in order
/// @param dependencies what it brought along
/// @param ownFirst whether its own libraries come before those that it shares with the engine
/// @param proxyUser for whom it acts on Hadoop's services; empty for who starts it
/// @param settings what it will find as system properties
record Submission(
    String mainClass,
    List<String> arguments,
    List<Path> classPath,
    Dependencies dependencies,
    boolean ownFirst,
    String proxyUser,
    SubmitSettings settings) {

  private static final String SHELL_CLASS = "io.kiln.submit.shell.SparkShell";

  /// Whether the program is our own shell, whose main class the application can't see.
  boolean isShell() {
    return mainClass.equals(SHELL_CLASS);
  }

  /// @param settings as [SubmissionRules] leave them
  /// @throws Refusal if it cannot run
  static Submission prepare(
      CommandLine line,
      SubmitSettings settings,
      Map<String, String> environment,
      Path confDirectory) {
    refuseOtherLanguages(line);
    boolean ownFirst = ApplicationLoader.isOwnWanted(settings);

    List<Resource> application = List.of();
    String mainClass = SHELL_CLASS;
    if (!line.isShell()) {
      Resource jar = ListedFiles.parse(resource(line), "The application");
      application = List.of(jar);
      // What is wrong with a jar that is here is said before anything is fetched.
      mainClass = jar.isRemote() ? "" : mainClass(line, jar, jar.path());
    }
    Dependencies dependencies = Dependencies.gather(application, settings);
    if (mainClass.isEmpty()) {
      mainClass = mainClass(line, application.getFirst(), dependencies.jars().getFirst());
    }
    settings.setDefault("spark.app.name", line.isShell() ? "Kiln shell" : mainClass);
    return new Submission(
        mainClass,
        line.arguments().isEmpty()
            ? List.of()
            : line.arguments().subList(1, line.arguments().size()),
        classPath(settings, environment, confDirectory, dependencies.jars()),
        dependencies,
        ownFirst,
        line.has(SubmitOption.PROXY_USER) ? line.value(SubmitOption.PROXY_USER) : "",
        settings);
  }

  private static String mainClass(CommandLine line, Resource application, Path jar) {
    ApplicationJar opened = ApplicationJar.open(jar, application.shown());
    String named = line.value(SubmitOption.CLASS);
    return named == null ? opened.mainClass() : named;
  }

  private static void refuseOtherLanguages(CommandLine line) {
    ApplicationKind kind = ApplicationKind.of(line);
    if (kind == ApplicationKind.PYTHON || kind == ApplicationKind.R) {
      throw new Refusal(
          kind.title()
              + " such as "
              + line.arguments().getFirst()
              + " can't run in this version: submit a program in a jar");
    }
  }

  private static String resource(CommandLine line) {
    if (line.arguments().isEmpty()) {
      throw new Refusal(
          "No application to run: spark-submit [options] APPLICATION-JAR [arguments]");
    }
    return line.arguments().getFirst();
  }

  private static List<Path> classPath(
      SubmitSettings settings,
      Map<String, String> environment,
      Path confDirectory,
      List<Path> jars) {
    List<Path> classPath = new ArrayList<>();
    for (String entry :
        settings.value("spark.driver.extraClassPath", "").split(File.pathSeparator, -1)) {
      if (entry.endsWith("*")) {
        classPath.addAll(ListedFiles.jarsIn(Path.of(entry.substring(0, entry.length() - 1))));
      } else if (!entry.isEmpty()) {
        classPath.add(Path.of(entry));
      }
    }
    classPath.add(confDirectory);
    for (String variable : List.of("HADOOP_CONF_DIR", "YARN_CONF_DIR")) {
      String directory = environment.getOrDefault(variable, "");
      if (!directory.isEmpty()) {
        classPath.add(Path.of(directory));
      }
    }
    classPath.addAll(jars);
    return List.copyOf(classPath);
  }
}
