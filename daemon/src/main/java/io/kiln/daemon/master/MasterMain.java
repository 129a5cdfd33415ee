package io.kiln.daemon.master;

import io.kiln.api.KilnException;
import io.kiln.base.settings.MasterSettings;
import io.kiln.base.settings.Settings;
import io.kiln.daemon.DaemonArguments;
import io.kiln.daemon.DaemonArguments.Option;
import io.kiln.daemon.DaemonSettings;
import io.kiln.launcher.Refusal;
import io.kiln.process.OwnHost;
import io.kiln.process.VitalThreads;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/// The main class of a master's process. Exit code 0 where it was told to end (143 by a signal), 1
/// where it could not start or has failed.
public final class MasterMain {
  private static final Option HOST = Option.of("SPARK_MASTER_HOST", "--host", "-h", "--ip", "-i");
  private static final Option PORT = Option.of("SPARK_MASTER_PORT", "--port", "-p");
  private static final Option WEB_PORT = Option.of("SPARK_MASTER_WEBUI_PORT", "--webui-port");
  private static final Option PROPERTIES = Option.of("", "--properties-file");
  private static final String USAGE =
      "usage: Master [--host HOST] [--port PORT] [--webui-port PORT] [--properties-file FILE]";
  private static final int DEFAULT_PORT = 7077;
  private static final int DEFAULT_WEB_PORT = 8080;

  private MasterMain() {}

  public static void main(String[] words) {
    VitalThreads.ofDaemon("the master", 1);
    try {
      start(List.of(words), System.getenv());
    } catch (KilnException | Refusal e) {
      System.err.println("Error: " + e.getMessage());
      System.exit(1);
    }
  }

  private static void start(List<String> words, Map<String, String> environment) {
    DaemonArguments arguments =
        new DaemonArguments(words, List.of(HOST, PORT, WEB_PORT, PROPERTIES), environment, USAGE);
    if (!arguments.rest().isEmpty()) {
      throw new Refusal("A master takes no '" + arguments.rest().getFirst() + "'; " + USAGE);
    }
    Settings settings = DaemonSettings.read(arguments.find(PROPERTIES).map(Path::of), environment);
    MasterProcess process =
        MasterProcess.start(
            settings,
            arguments.find(HOST).orElseGet(() -> OwnHost.find(environment)),
            arguments.listenPort(settings, PORT, DEFAULT_PORT),
            arguments.listenPort(settings, WEB_PORT, MasterSettings.WEB_PORT, DEFAULT_WEB_PORT),
            news -> System.out.println(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + news));
    Runtime.getRuntime().addShutdownHook(new Thread(process::close, "kiln-master-shutdown"));
    System.out.println("Master is at " + process.url());
    System.out.println("It shows its state at " + process.webUrl() + "/json/");
    process
        .restPort()
        .ifPresent(port -> System.out.println("It takes submissions over HTTP on port " + port));
    process.await();
    System.exit(1); // it has said why
  }
}
