package io.kiln.submit;

import io.kiln.driver.LocalEngineProvider;
import io.kiln.launcher.channel.Channel;
import io.kiln.launcher.channel.ChannelMessage;
import io.kiln.launcher.channel.ChannelMessage.ApplicationFailed;
import io.kiln.launcher.channel.ChannelMessage.ApplicationRunning;
import io.kiln.launcher.channel.ChannelMessage.ApplicationStopping;
import io.kiln.launcher.channel.ChannelMessage.ApplicationSubmitted;
import io.kiln.launcher.channel.ChannelMessage.StopApplication;
import io.kiln.launcher.channel.ChannelSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/// The line to the `KilnLauncher` that started this process, if one did: tells it how the
/// application is, and ends the process when it is asked to.
///
/// There is one in a process, opened before anything else is looked at. A launcher that is gone is
/// none of the application's business: what can't be told is dropped.
final class LauncherLink {

  /// Names the file descriptor from which `bin/spark-class` lets this process read the launcher's
  /// port and the channel's secret. Unlike the environment, it is not inherited by the program's
  /// children.
  static final String VARIABLE = "KILN_LAUNCHER_FD";

  /// As of a process that `SIGTERM` ended.
  private static final int STOPPED_EXIT_CODE = 143;

  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final AtomicReference<Channel> CHANNEL = new AtomicReference<>();

  private LauncherLink() {}

  /// @param descriptor the value of [#VARIABLE]
  static void open(String descriptor) {
    try {
      String[] words = Files.readString(Path.of("/dev/fd", descriptor)).trim().split(" ", 2);
      Channel channel =
          Channel.connect(
              Integer.parseInt(words[0]), ChannelSecret.parse(words[words.length - 1]), LIMIT);
      CHANNEL.set(channel);
      Thread listener = new Thread(() -> listen(channel), "kiln-launcher-link");
      listener.setDaemon(true);
      listener.start();
      LocalEngineProvider.onStart(LauncherLink::started);
    } catch (IOException | IllegalArgumentException e) {
      System.err.println(
          "Warning: the program that launched this one can't be told how it goes, as its channel is"
              + " out of reach: "
              + e.getMessage());
    }
  }

  private static void started(String applicationId) {
    send(new ApplicationSubmitted(applicationId));
    send(new ApplicationRunning());
  }

  /// Does nothing where nobody launched this process.
  static void failed(String reason) {
    send(new ApplicationFailed(reason));
  }

  private static void send(ChannelMessage message) {
    Channel channel = CHANNEL.get();
    if (channel != null) {
      try {
        channel.send(message);
      } catch (IOException e) {
        CHANNEL.set(null); // the launcher is gone
      }
    }
  }

  private static void listen(Channel channel) {
    try (channel) {
      while (!(channel.receive() instanceof StopApplication)) {
        // the launcher sends nothing else
      }
      send(new ApplicationStopping());
      System.exit(STOPPED_EXIT_CODE); // runs the hooks, by which contexts close
    } catch (IOException e) {
      CHANNEL.set(null); // the launcher is gone, or has let go
    }
  }
}
