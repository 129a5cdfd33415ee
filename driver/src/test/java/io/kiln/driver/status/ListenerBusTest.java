package io.kiln.driver.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.listener.KilnEvent;
import io.kiln.api.listener.KilnListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ListenerBusTest {

  private static KilnEvent event(int number) {
    return new KilnEvent.RddUnpersisted(number);
  }

  /// Keeps what it hears; read after the bus is closed.
  private static final class Recorder implements KilnListener {
    private final List<Integer> heard = new ArrayList<>();

    @Override
    public synchronized void onEvent(KilnEvent event) {
      heard.add(((KilnEvent.RddUnpersisted) event).rddId());
    }

    synchronized List<Integer> heard() {
      return List.copyOf(heard);
    }
  }

  @Test
  void deliversInOrderAndDrainsWhenClosed() {
    Recorder first = new Recorder();
    Recorder second = new Recorder();
    ListenerBus bus = new ListenerBus(10_000);
    assertThat(bus.hasListeners()).isFalse();
    bus.post(event(-1));
    bus.add(first);
    bus.add(second);
    assertThat(bus.hasListeners()).isTrue();
    for (int i = 0; i < 5_000; i++) {
      bus.post(event(i));
    }
    bus.close();
    bus.post(event(-2));

    List<Integer> all = IntStream.range(0, 5_000).boxed().toList();
    assertThat(first.heard()).isEqualTo(all);
    assertThat(second.heard()).isEqualTo(all);
  }

  @Test
  void goesOnAfterAListenerThrows() {
    Recorder recorder = new Recorder();
    try (ListenerBus bus = new ListenerBus(10)) {
      bus.add(
          _ -> {
            throw new IllegalStateException("on purpose");
          });
      bus.add(recorder);
      bus.post(event(1));
      bus.post(event(2));
    }

    assertThat(recorder.heard()).containsExactly(1, 2);
  }

  @Test
  void dropsRatherThanWaits() throws InterruptedException {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Recorder recorder = new Recorder();
    try (ListenerBus bus = new ListenerBus(2)) {
      bus.add(
          event -> {
            busy.countDown();
            awaitUninterrupted(release);
            recorder.onEvent(event);
          });
      bus.post(event(0));
      busy.await();
      for (int i = 1; i <= 5; i++) {
        bus.post(event(i));
      }
      release.countDown();
    }

    assertThat(recorder.heard()).containsExactly(0, 1, 2);
  }

  @Test
  void givesUpOnAListenerThatDoesNotReturn() {
    CountDownLatch never = new CountDownLatch(1);
    ListenerBus bus = new ListenerBus(2, Duration.ofMillis(20));
    bus.add(_ -> awaitUninterrupted(never));
    bus.post(event(0));
    bus.post(event(1));

    bus.close();
    bus.close();
  }

  @Test
  void forgetsRemovedListeners() {
    Recorder recorder = new Recorder();
    try (ListenerBus bus = new ListenerBus(10)) {
      bus.add(recorder);
      bus.remove(recorder);
      assertThat(bus.hasListeners()).isFalse();
      bus.post(event(1));
    }

    assertThat(recorder.heard()).isEmpty();
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Whatever it is that a listener throws, and whatever it does to the thread.
  @Test
  void aListenerThatBreaksEndsNothing() {
    Recorder recorder = new Recorder();
    try (ListenerBus bus = new ListenerBus(10)) {
      bus.add(
          _ -> {
            throw new OutOfMemoryError("on purpose");
          });
      bus.add(_ -> sneak(new Throwable("on purpose")));
      bus.add(_ -> Thread.currentThread().interrupt());
      bus.add(recorder);
      bus.post(event(1));
      bus.post(event(2));
    }

    assertThat(recorder.heard()).containsExactly(1, 2);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> void sneak(Throwable failure) throws E {
    throw (E) failure;
  }
}
