package io.kiln.submit;

import io.kiln.launcher.CommandLine;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.Settings;
import io.kiln.launcher.SubmitOption;
import io.kiln.submit.logging.LogLevel;
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

  /// @throws Refusal if it cannot run
  static Submission prepare(CommandLine line, Map<String, String> environment, Path confDirectory) {
    refuseWhatIsNotHere(line);
    Settings settings = Settings.resolve(line, environment, confDirectory);
    settings.setDefault("spark.master", "local[*]");
    settings.setDefault("spark.submit.deployMode", "client");
    MasterUrl master =
        MasterUrl.parse(settings.value("spark.master"), settings.culprit("spark.master"));
    refuseOtherModes(settings, master);
    refuseUnknownLogLevel(settings);

    ApplicationJar application = ApplicationJar.open(resource(line));
    String mainClass = line.value(SubmitOption.CLASS);
    if (mainClass == null) {
      mainClass = application.mainClass();
    }
    settings.setDefault("spark.app.name", mainClass);
    List<Path> jars = new ArrayList<>();
    jars.add(application.path());
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
        line.arguments().subList(1, line.arguments().size()),
        classPath(settings, environment, confDirectory, jars),
        settings);
  }

  private static void refuseWhatIsNotHere(CommandLine line) {
    for (SubmitOption option : List.of(SubmitOption.KILL, SubmitOption.STATUS)) {
      if (line.has(option)) {
        throw new Refusal(
            option.spelling()
                + " acts on a submission to a cluster, and this version has no cluster manager:"
                + " a local application ends with its process");
      }
    }
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

  private static void refuseOtherModes(Settings settings, MasterUrl master) {
    String key = "spark.submit.deployMode";
    String mode = settings.value(key);
    if (mode.equals("cluster")) {
      throw new Refusal(
          settings.culprit(key)
              + " is cluster, but "
              + master.text()
              + " runs in this process: leave it out, or choose a cluster's master");
    }
    if (!mode.equals("client")) {
      throw new Refusal(
          settings.culprit(key) + " must be client or cluster, but is '" + mode + "'");
    }
  }

  private static void refuseUnknownLogLevel(Settings settings) {
    String level = settings.value(LogLevel.SETTING);
    if (level != null && !LogLevel.isKnown(level)) {
      throw new Refusal(
          LogLevel.SETTING
              + " is '"
              + level
              + "', which is no level: use ALL, TRACE, DEBUG, INFO, WARN, ERROR, FATAL or OFF");
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
