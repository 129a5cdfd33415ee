package io.kiln.daemon.worker;

import io.kiln.api.KilnException;
import io.kiln.base.settings.ByteSize;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.WorkerSettings;
import io.kiln.daemon.DaemonArguments;
import io.kiln.daemon.DaemonArguments.Option;
import io.kiln.daemon.DaemonMain;
import io.kiln.launcher.Refusal;
import io.kiln.node.ClusterUrl;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The main class of a worker's process. Exit code 0 where it was told to end (143 by a signal), 1
/// where it could not start, has failed, or has found no master.
public final class WorkerMain {
  private static final Option HOST = Option.of("SPARK_WORKER_HOST", "--host", "-h", "--ip", "-i");
  private static final Option PORT = Option.of("SPARK_WORKER_PORT", "--port", "-p");
  private static final Option WEB_PORT = Option.of("SPARK_WORKER_WEBUI_PORT", "--webui-port");
  private static final Option CORES = Option.of("SPARK_WORKER_CORES", "--cores", "-c");
  private static final Option MEMORY = Option.of("SPARK_WORKER_MEMORY", "--memory", "-m");
  private static final Option WORK = Option.of("SPARK_WORKER_DIR", "--work-dir", "-d");
  private static final String USAGE =
      "usage: Worker [--cores N] [--memory SIZE] [--work-dir DIR] [--host HOST] [--port PORT]"
          + " [--webui-port PORT] [--properties-file FILE] spark://HOST:PORT[,HOST:PORT...]";
  private static final int DEFAULT_WEB_PORT = 8081;
  private static final int MEBIBYTES_FOR_OTHERS = 1024;

  private WorkerMain() {}

  public static void main(String[] words) {
    List<Option> options = List.of(HOST, PORT, WEB_PORT, CORES, MEMORY, WORK);
    DaemonMain.run("worker", words, options, USAGE, WorkerMain::run);
  }

  private static int run(DaemonMain start) {
    DaemonArguments arguments = start.arguments();
    if (arguments.rest().size() != 1) {
      throw new Refusal("A worker needs the URL of its master, and nothing more; " + USAGE);
    }
    String url = arguments.rest().getFirst();
    List<String> masters =
        ClusterUrl.parse(url)
            .orElseThrow(() -> new Refusal("'" + url + "' is no standalone master; " + USAGE))
            .masters();
    Settings settings = start.readSettings();
    WorkerProcess process =
        WorkerProcess.start(
            new WorkerProcess.Offer(
                start.host(HOST),
                arguments.listenPort(settings, PORT, 0),
                arguments.listenPort(settings, WEB_PORT, WorkerSettings.WEB_PORT, DEFAULT_WEB_PORT),
                arguments.count(CORES).orElseGet(Runtime.getRuntime()::availableProcessors),
                memoryMebibytes(arguments),
                workDirectory(arguments, start.environment())),
            masters,
            settings,
            start.environment());
    Optional<String> signal = process.decommissionOnSignal();
    start.closeAtEnd(process::close);
    System.out.println("Worker " + process.id() + " is at " + process.url());
    // sbin/decommission-worker.sh looks for this line, as it may not send a signal that would kill.
    signal.ifPresent(name -> System.out.println("Signal " + name + " decommissions this worker"));
    DaemonMain.sayWhereItShowsItself(process.webUrl());
    return process.await();
  }

  private static int memoryMebibytes(DaemonArguments arguments) {
    Optional<String> text = arguments.find(MEMORY);
    if (text.isEmpty()) {
      return Math.max(512, OwnMemory.mebibytes() - MEBIBYTES_FOR_OTHERS);
    }
    try {
      long mebibytes = ByteSize.parse(text.get(), ByteSize.Unit.MEBIBYTES) >> 20;
      if (mebibytes >= 1 && mebibytes <= Integer.MAX_VALUE) {
        return (int) mebibytes;
      }
    } catch (IllegalArgumentException | KilnException e) {
      // said below
    }
    throw arguments.refusal(MEMORY, "a size of at least 1 MiB, as in 512m or 8g");
  }

  private static Path workDirectory(DaemonArguments arguments, Map<String, String> environment) {
    return arguments
        .find(WORK)
        .map(Path::of)
        .orElseGet(() -> Path.of(environment.getOrDefault("SPARK_HOME", "."), "work"))
        .toAbsolutePath();
  }
}
