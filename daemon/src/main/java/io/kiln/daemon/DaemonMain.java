package io.kiln.daemon;

import io.kiln.api.KilnException;
import io.kiln.base.settings.Settings;
import io.kiln.daemon.DaemonArguments.Option;
import io.kiln.launcher.Refusal;
import io.kiln.process.OwnHost;
import io.kiln.process.VitalThreads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What the main classes of all daemons do: from the words of the command to the process's end. A
/// process that could not start has said why, and exits with 1.
public final class DaemonMain {
  private static final Option PROPERTIES = Option.of("", "--properties-file");

  private final String name;
  private final DaemonArguments arguments;
  private final Map<String, String> environment;

  private DaemonMain(String name, DaemonArguments arguments, Map<String, String> environment) {
    this.name = name;
    this.arguments = arguments;
    this.environment = environment;
  }

  /// One kind of daemon.
  @FunctionalInterface
  public interface Daemon {
    /// Starts it, and waits until it ends.
    ///
    /// @return the exit code
    /// @throws Refusal if the words or the environment don't allow it to start
    int run(DaemonMain start);
  }

  /// Runs a daemon on this thread, and ends the process.
  ///
  /// @param name for people, and of threads
  /// @param options besides that of the properties file
  /// @param usage what is said of words that are not understood
  public static void run(
      String name, String[] words, List<Option> options, String usage, Daemon daemon) {
    VitalThreads.ofDaemon("the " + name, 1);
    Map<String, String> environment = System.getenv();
    List<Option> all = new ArrayList<>(options);
    all.add(PROPERTIES);
    try {
      DaemonArguments arguments = new DaemonArguments(List.of(words), all, environment, usage);
      System.exit(daemon.run(new DaemonMain(name, arguments, environment)));
    } catch (KilnException | Refusal e) {
      System.err.println("Error: " + e.getMessage());
      System.exit(1);
    }
  }

  public DaemonArguments arguments() {
    return arguments;
  }

  public Map<String, String> environment() {
    return environment;
  }

  /// Reads those of the properties file that the words name, or of the usual one.
  public Settings readSettings() {
    return DaemonSettings.read(arguments.find(PROPERTIES).map(Path::of), environment);
  }

  /// By which name others reach it.
  public String host(Option option) {
    return arguments.find(option).orElseGet(() -> OwnHost.find(environment));
  }

  /// Has the daemon closed when the process is told to end.
  public void closeAtEnd(Runnable close) {
    Runtime.getRuntime().addShutdownHook(new Thread(close, "kiln-" + name + "-shutdown"));
  }

  /// Says for people where its pages are.
  public static void sayWhereItShowsItself(String webUrl) {
    System.out.println("It shows its state at " + webUrl + "/json/");
  }
}
