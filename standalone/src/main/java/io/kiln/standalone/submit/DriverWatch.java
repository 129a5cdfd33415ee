package io.kiln.standalone.submit;

import io.kiln.base.settings.RestSettings;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.launcher.Refusal;
import io.kiln.standalone.submit.Gateway.Answer;
import io.kiln.standalone.submit.Gateway.Driver;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Waits for the end of a driver, and says what becomes of it meanwhile. Who ends this process
/// before may have the driver killed.
final class DriverWatch implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /// After a stall of this process, time alone says nothing.
  private static final int LEAST_TRIES = 5;

  private static final Duration REMINDER = Duration.ofSeconds(30);

  private final String id;
  private final Masters masters;
  private final Thread atInterrupt;
  private String said = "";

  /// @param settings of the submission
  /// @param kill whether the driver is to go with this process
  DriverWatch(String id, Masters masters, Map<String, String> settings, boolean kill) {
    this.id = id;
    this.masters = masters;
    this.atInterrupt =
        Thread.ofPlatform()
            .name("kiln-interrupted")
            .unstarted(() -> interrupted(masters.toString(), settings, kill));
    Runtime.getRuntime().addShutdownHook(atInterrupt);
  }

  /// @return the exit code of the driver's process
  /// @throws Refusal if it has none, or masters don't answer for long
  int await() {
    long heard = System.nanoTime();
    long reminded = heard;
    int tries = 0;
    while (true) {
      try {
        Answer answer = masters.ask(master -> master.status(id));
        heard = System.nanoTime();
        tries = 0;
        if (answer.driver().isEmpty() || !answer.success()) {
          throw new Lost("The master does not know " + id + " any more; it may still run");
        }
        Optional<Integer> exitCode = exitCode(answer.driver().get(), answer.message());
        if (exitCode.isPresent()) {
          return exitCode.get();
        }
      } catch (Lost e) {
        throw new Refusal(e.getMessage());
      } catch (Refusal e) {
        long now = System.nanoTime();
        tries++;
        if (tries >= LEAST_TRIES && now - heard > PATIENCE.toNanos()) {
          throw new Refusal(
              "No master has answered for "
                  + PATIENCE.toMinutes()
                  + " minutes; "
                  + id
                  + " may still run: "
                  + e.getMessage());
        }
        if (heard == reminded || now - reminded > REMINDER.toNanos()) {
          reminded = now;
          System.err.println("Still waiting for " + id + ": " + e.getMessage());
        }
      }
      Masters.pause();
    }
  }

  /// What can't be mended by asking again.
  private static final class Lost extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Lost(String why) {
      super(why, null, false, false);
    }
  }

  private Optional<Integer> exitCode(Driver driver, String message) {
    DriverState state = driver.state().orElse(DriverState.UNKNOWN);
    String line = driver.line(message);
    if (!line.equals(said)) {
      said = line;
      System.err.println(line);
    }
    if (!state.isFinal()) {
      return Optional.empty();
    }
    if (state == DriverState.FINISHED) {
      return Optional.of(0);
    }
    if (state == DriverState.FAILED && driver.exitCode().filter(code -> code > 0).isPresent()) {
      return driver.exitCode();
    }
    throw new Lost("Driver " + id + " is " + state + (message.isEmpty() ? "" : ": " + message));
  }

  private void interrupted(String url, Map<String, String> settings, boolean kill) {
    boolean overHttp = "true".equals(settings.get(RestSettings.ENABLED.key()));
    String command =
        "spark-submit --master "
            + url
            + (overHttp ? " -c " + RestSettings.ENABLED.key() + "=true" : "")
            + " --kill "
            + id;
    if (!kill) {
      System.err.println("Not waiting any more; " + id + " goes on. To end it: " + command);
      return;
    }
    try (Masters asked = new Masters(url, settings)) {
      System.err.println(asked.ask(master -> master.kill(id)).message());
    } catch (Refusal e) {
      System.err.println(id + " could not be killed: " + e.getMessage() + "; later: " + command);
    }
  }

  @Override
  public void close() {
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(atInterrupt);
    } catch (IllegalStateException e) {
      // it is at work
    }
  }
}
