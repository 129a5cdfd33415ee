package io.kiln.submit;

import io.kiln.driver.DriverEngineProvider;
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
import java.util.ArrayList;
import java.util.List;

/// The line to the `KilnLauncher` that started this process, if one did: tells it how the
/// application is, and ends the process when it is asked to.
///
/// There is one in a process, opened before anything else is looked at. It connects on its own
/// thread, beside the start, as the two ends take their time to prove themselves; what is to be
/// told before that waits, and so does the end of the process. A launcher that is gone is none of
/// the application's business: what can't be told is dropped.
final class LauncherLink {

  /// Names the file descriptor from which `bin/spark-class` lets this process read the launcher's
  /// port and the channel's secret. Unlike the environment, it is not inherited by the program's
  /// children.
  static final String VARIABLE = "KILN_LAUNCHER_FD";

  /// As of a process that `SIGTERM` ended.
  private static final int STOPPED_EXIT_CODE = 143;

  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Object LOCK = new Object();

  // guarded by LOCK
  private static final List<ChannelMessage> WAITING = new ArrayList<>(); // a handful in a process
  private static Channel channel;
  private static boolean connecting;

  private LauncherLink() {}

  /// @param descriptor the value of [#VARIABLE]
  static void open(String descriptor) {
    connecting = true;
    Thread link = new Thread(() -> run(descriptor), "kiln-launcher-link");
    link.setDaemon(true);
    link.start();
    Runtime.getRuntime().addShutdownHook(new Thread(LauncherLink::settle, "kiln-launcher-told"));
    DriverEngineProvider.onStart(LauncherLink::started);
  }

  private static void run(String descriptor) {
    Channel opened = null;
    try {
      String[] words = Files.readString(Path.of("/dev/fd", descriptor)).trim().split(" ", 2);
      opened =
          Channel.connect(
              Integer.parseInt(words[0]), ChannelSecret.parse(words[words.length - 1]), LIMIT);
    } catch (IOException | IllegalArgumentException e) {
      System.err.println(
          "Warning: the program that launched this one can't be told how it goes, as its channel is"
              + " out of reach: "
              + e.getMessage());
    }
    synchronized (LOCK) {
      channel = opened;
      connecting = false;
      WAITING.forEach(LauncherLink::send);
      WAITING.clear();
      LOCK.notifyAll();
    }
    if (opened != null) {
      listen(opened);
    }
  }

  /// Waits until what was to be told has been, or can't be.
  private static void settle() {
    synchronized (LOCK) {
      try {
        while (connecting) {
          LOCK.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
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
    synchronized (LOCK) {
      if (connecting) {
        WAITING.add(message);
      } else if (channel != null) {
        try {
          channel.send(message);
        } catch (IOException e) {
          channel = null; // the launcher is gone
        }
      }
    }
  }

  private static void listen(Channel opened) {
    try (opened) {
      while (!(opened.receive() instanceof StopApplication)) {
        // the launcher sends nothing else
      }
      send(new ApplicationStopping());
      System.exit(STOPPED_EXIT_CODE); // runs the hooks, by which contexts close
    } catch (IOException e) {
      synchronized (LOCK) {
        channel = null; // the launcher is gone, or has let go
      }
    }
  }
}
