package io.kiln.executor.process;

import io.kiln.protocol.ExecutorReport.Heartbeat;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the driver at regular times that this executor lives, on a thread of its own.
final class HeartbeatSender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatSender.class);

  private final Heartbeat heartbeat;
  private final Consumer<Heartbeat> driver;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("kiln-executor-heart").factory());

  private HeartbeatSender(Heartbeat heartbeat, Consumer<Heartbeat> driver) {
    this.heartbeat = heartbeat;
    this.driver = driver;
  }

  static HeartbeatSender start(Duration interval, Heartbeat heartbeat, Consumer<Heartbeat> driver) {
    HeartbeatSender sender = new HeartbeatSender(heartbeat, driver);
    long millis = interval.toMillis();
    var _ = sender.timer.scheduleAtFixedRate(sender::send, millis, millis, TimeUnit.MILLISECONDS);
    return sender;
  }

  private void send() {
    try {
      driver.accept(heartbeat);
    } catch (OutOfMemoryError e) {
      // a task's, which fails; thrown on, it would end the heartbeat too
    } catch (RuntimeException | Error e) { // as above: the next beat may be heard
      LOG.warn("The driver could not be told that this executor lives", e);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
