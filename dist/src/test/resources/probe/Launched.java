package probe;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.launcher.AppHandle;
import io.kiln.launcher.KilnLauncher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Does what its first argument says, by way of files that block until the other side is there.
public class Launched {

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "relay" -> relay(Path.of(arguments[1]), Path.of(arguments[2]));
      case "environment" -> {
        System.out.println("own " + traces());
        new ProcessBuilder(List.of(arguments).subList(1, arguments.length))
            .inheritIO()
            .start()
            .waitFor();
      }
      case "launch" -> launch(arguments);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  /// Runs a job on each side of a wait, and tells the sum of what they found.
  private static void relay(Path in, Path out) throws Exception {
    try (KilnContext context = KilnContext.create(new KilnConf().setAppName("relay"))) {
      long before = context.range(0, 10).count();
      System.out.println("ready " + ProcessHandle.current().pid());
      int words = Files.readString(in).split(" ").length;
      Files.writeString(out, before + context.range(0, words).count() + "\n");
    }
  }

  /// What the environment says about who launched this.
  private static String traces() {
    StringBuilder traces = new StringBuilder();
    for (Map.Entry<String, String> variable : System.getenv().entrySet()) {
      if (variable.getKey().contains("SPARK_LAUNCHER")
          || variable.getValue().matches(".*[0-9a-f]{64}.*")) {
        traces.append(variable.getKey());
      }
    }
    return traces.toString();
  }

  /// Launches the relay of the jar and waits for it.
  private static void launch(String[] arguments) throws Exception {
    AppHandle handle =
        new KilnLauncher()
            .setAppResource(arguments[1])
            .setMainClass("probe.Launched")
            .setMaster("local[2]")
            .addAppArgs("relay", arguments[2], arguments[3])
            .startApplication(
                new AppHandle.Listener() {
                  @Override
                  public void stateChanged(AppHandle handle, AppHandle.State state) {
                    System.out.println(state);
                  }
                });
    handle.awaitEnd(Duration.ofHours(1));
  }
}
