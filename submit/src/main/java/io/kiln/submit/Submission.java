package io.kiln.submit;

import io.kiln.launcher.CommandLine;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.Settings;
import io.kiln.launcher.SubmitOption;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A program about to run, complete: everything that could be refused has been looked at.
///
/// @param mainClass by its full name
/// @param arguments the program's own
/// @param classPath what the program sees besides the shared jars, in order
/// @param settings what it will find as system properties
record Submission(
    String mainClass, List<String> arguments, List<Path> classPath, Settings settings) {

  private static final String SHELL_CLASS = "io.kiln.submit.shell.SparkShell";

  /// Whether the program is our own shell, whose main class the application can't see.
  boolean isShell() {
    return mainClass.equals(SHELL_CLASS);
  }

  /// @throws Refusal if it cannot run
  static Submission prepare(CommandLine line, Map<String, String> environment, Path confDirectory) {
    Settings settings = SubmissionRules.settings(line, environment, confDirectory);
    MasterUrl.parse(settings.value("spark.master"), settings.culprit("spark.master"));
    refuseWhatIsNotHere(line);

    List<Path> jars = new ArrayList<>();
    String mainClass;
    if (line.isShell()) {
      mainClass = SHELL_CLASS;
      settings.setDefault("spark.app.name", "Kiln shell");
    } else {
      refuseOtherLanguages(line);
      ApplicationJar application = ApplicationJar.open(resource(line));
      String named = line.value(SubmitOption.CLASS);
      mainClass = named == null ? application.mainClass() : named;
      settings.setDefault("spark.app.name", mainClass);
      jars.add(application.path());
    }
    jars.addAll(LocalFiles.find(settings.value("spark.jars", ""), settings.culprit("spark.jars")));
    settings.setDefault("spark.jars", "");
    settings.refine("spark.jars", uris(jars));
    if (settings.value("spark.files") != null) {
      settings.refine(
          "spark.files",
          uris(LocalFiles.find(settings.value("spark.files"), settings.culprit("spark.files"))));
    }
    return new Submission(
        mainClass,
        line.arguments().isEmpty()
            ? List.of()
            : line.arguments().subList(1, line.arguments().size()),
        classPath(settings, environment, confDirectory, jars),
        settings);
  }

  private static void refuseWhatIsNotHere(CommandLine line) {
    for (SubmitOption option : SubmitOption.values()) {
      if (line.has(option) && option.group() == SubmitOption.Group.DEPENDENCIES) {
        throw new Refusal(
            option.spelling() + " is not available in this version: give jars by --jars");
      }
    }
    for (SubmitOption option :
        List.of(SubmitOption.PROXY_USER, SubmitOption.PRINCIPAL, SubmitOption.KEYTAB)) {
      if (line.has(option)) {
        throw new Refusal(
            option.spelling()
                + " is not available in this version: the program runs as the user who starts it");
      }
    }
  }

  private static void refuseOtherLanguages(CommandLine line) {
    ApplicationKind kind = ApplicationKind.of(line);
    if (kind != ApplicationKind.JAR) {
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

  private static String uris(List<Path> paths) {
    StringBuilder uris = new StringBuilder();
    for (Path path : paths) {
      URI uri = path.toAbsolutePath().toUri();
      uris.append(uris.isEmpty() ? "" : ",").append(uri);
    }
    return uris.toString();
  }

  private static List<Path> classPath(
      Settings settings, Map<String, String> environment, Path confDirectory, List<Path> jars) {
    List<Path> classPath = new ArrayList<>();
    for (String entry :
        settings.value("spark.driver.extraClassPath", "").split(File.pathSeparator, -1)) {
      if (entry.endsWith("*")) {
        classPath.addAll(LocalFiles.jarsIn(Path.of(entry.substring(0, entry.length() - 1))));
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
