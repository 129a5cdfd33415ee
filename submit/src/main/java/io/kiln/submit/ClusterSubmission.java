package io.kiln.submit;

import io.kiln.launcher.CommandLine;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.SubmitOption;
import io.kiln.launcher.SubmitSettings;
import io.kiln.submit.cluster.ClusterClient;
import io.kiln.submit.cluster.DriverRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A submission whose driver is not this process: it is handed to the cluster, or asks about one
/// that was.
final class ClusterSubmission {
  private static final String JARS = "spark.jars";
  private static final List<String> LISTS = List.of(JARS, "spark.files", "spark.archives");

  private ClusterSubmission() {}

  static boolean isMeant(CommandLine line, SubmitSettings settings) {
    return line.has(SubmitOption.KILL) || line.has(SubmitOption.STATUS) || settings.isClusterMode();
  }

  /// @param client of the cluster's manager
  /// @return what this process ends with
  /// @throws Refusal if it can't be done
  static int run(CommandLine line, SubmitSettings settings, ClusterClient client) {
    if (line.has(SubmitOption.KILL)) {
      client.kill(line.value(SubmitOption.KILL), texts(settings));
    } else if (line.has(SubmitOption.STATUS)) {
      client.status(line.value(SubmitOption.STATUS), texts(settings));
    } else {
      DriverRequest driver = driver(line, settings);
      if (line.has(SubmitOption.VERBOSE)) {
        System.err.print(VerboseReport.of(driver.mainClass(), driver.arguments(), settings));
      }
      return client.submit(driver);
    }
    return 0;
  }

  /// Nothing is looked for on this machine but the name of a main class: the driver starts on
  /// another, and finds files as that one does.
  static DriverRequest driver(CommandLine line, SubmitSettings settings) {
    if (line.arguments().isEmpty()) {
      throw new Refusal(
          "No application to run: spark-submit [options] APPLICATION-JAR [arguments]");
    }
    String named = line.arguments().getFirst();
    String resource = uri(named);
    String mainClass =
        line.has(SubmitOption.CLASS) ? line.value(SubmitOption.CLASS) : mainClassOf(named);
    settings.setDefault("spark.app.name", mainClass);
    settings.setDefault(JARS, "");
    for (String list : LISTS) {
      settings.refine(list, uris(settings, list));
    }
    String others = settings.value(JARS);
    settings.refine(JARS, others.isEmpty() ? resource : resource + "," + others);
    return new DriverRequest(
        resource,
        mainClass,
        List.copyOf(line.arguments().subList(1, line.arguments().size())),
        texts(settings));
  }

  private static String mainClassOf(String jar) {
    if (hasScheme(jar) && !jar.startsWith("file:")) {
      throw new Refusal("No main class: " + jar + " is not read here; name the class by --class");
    }
    return ApplicationJar.open(ListedFiles.path(jar, "The application"), jar).mainClass();
  }

  private static String uris(SubmitSettings settings, String key) {
    List<String> uris = new ArrayList<>();
    for (String item : settings.value(key, "").split(",", -1)) {
      if (!item.isBlank()) {
        uris.add(uri(item.trim()));
      }
    }
    return String.join(",", uris);
  }

  /// @param named a path or a URI, and after a `#` what it shall be called there
  private static String uri(String named) {
    if (hasScheme(named)) {
      return named;
    }
    int hash = named.lastIndexOf('#');
    String path = hash < 0 ? named : named.substring(0, hash);
    String alias = hash < 0 ? "" : named.substring(hash);
    return Path.of(path).toAbsolutePath().normalize().toUri() + alias;
  }

  private static boolean hasScheme(String named) {
    int colon = named.indexOf(':');
    return colon > 1 && named.indexOf('/') != 0;
  }

  private static Map<String, String> texts(SubmitSettings settings) {
    Map<String, String> texts = new TreeMap<>();
    settings.all().forEach((key, setting) -> texts.put(key, setting.value()));
    return texts;
  }
}
