package io.kiln.daemon.master;

import io.kiln.base.settings.MasterSettings;
import io.kiln.base.settings.Settings;
import io.kiln.daemon.DaemonArguments;
import io.kiln.daemon.DaemonArguments.Option;
import io.kiln.daemon.DaemonMain;
import io.kiln.launcher.Refusal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// The main class of a master's process. Exit code 0 where it was told to end (143 by a signal), 1
/// where it could not start or has failed.
public final class MasterMain {
  private static final Option HOST = Option.of("SPARK_MASTER_HOST", "--host", "-h", "--ip", "-i");
  private static final Option PORT = Option.of("SPARK_MASTER_PORT", "--port", "-p");
  private static final Option WEB_PORT = Option.of("SPARK_MASTER_WEBUI_PORT", "--webui-port");
  private static final String USAGE =
      "usage: Master [--host HOST] [--port PORT] [--webui-port PORT] [--properties-file FILE]";
  private static final int DEFAULT_PORT = 7077;
  private static final int DEFAULT_WEB_PORT = 8080;

  private MasterMain() {}

  public static void main(String[] words) {
    DaemonMain.run("master", words, List.of(HOST, PORT, WEB_PORT), USAGE, MasterMain::run);
  }

  private static int run(DaemonMain start) {
    DaemonArguments arguments = start.arguments();
    if (!arguments.rest().isEmpty()) {
      throw new Refusal("A master takes no '" + arguments.rest().getFirst() + "'; " + USAGE);
    }
    Settings settings = start.readSettings();
    MasterProcess process =
        MasterProcess.start(
            settings,
            start.host(HOST),
            arguments.listenPort(settings, PORT, DEFAULT_PORT),
            arguments.listenPort(settings, WEB_PORT, MasterSettings.WEB_PORT, DEFAULT_WEB_PORT),
            news -> System.out.println(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + news));
    start.closeAtEnd(process::close);
    System.out.println("Master is at " + process.url());
    DaemonMain.sayWhereItShowsItself(process.webUrl());
    process
        .restPort()
        .ifPresent(port -> System.out.println("It takes submissions over HTTP on port " + port));
    process.await();
    return 1; // it has said why
  }
}
