package io.kiln.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Entry;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class MachineHostTest {
  private static final Address FIRST = new Address("driver", "first");
  private static final Address SECOND = new Address("driver", "second");
  private static final Address EDGE = new Address("driver", "edge");

  record Numbered(int value) implements Message {}

  private record Other() implements Message {}

  private final CompletableFuture<KilnException> reported = new CompletableFuture<>();
  private final BlockingQueue<List<Message>> batches = new LinkedBlockingQueue<>();
  private final MachineHost host = new MachineHost("driver", 1, reported::complete);

  @AfterEach
  void close() {
    host.close();
  }

  @Test
  void whatATurnSendsToAnEdgeArrivesAsOneBatchInOrder() throws Exception {
    host.addMachine(
        FIRST,
        Numbered.class,
        (message, turn) -> {
          for (int i = 0; i < 3; i++) {
            turn.send(EDGE, new Numbered(message.value() + i));
          }
        });
    host.addEdge(EDGE, batches::add);
    host.start();
    host.send(FIRST, new Numbered(10));

    assertThat(batches.take())
        .containsExactly(new Numbered(10), new Numbered(11), new Numbered(12));
  }

  @Test
  void messagesBetweenMachinesGoBeforeThoseFromOutside() throws Exception {
    List<Integer> seen = new ArrayList<>();
    host.addMachine(
        FIRST,
        Numbered.class,
        (message, turn) -> turn.send(SECOND, new Numbered(message.value() * 10)));
    host.addMachine(
        SECOND,
        Numbered.class,
        (message, turn) -> {
          seen.add(message.value());
          turn.send(EDGE, message);
        });
    host.addEdge(EDGE, batches::add);
    host.send(FIRST, new Numbered(1));
    host.send(SECOND, new Numbered(2));
    host.send(FIRST, new Numbered(3));
    host.start();
    host.close();

    assertThat(seen).containsExactly(10, 2, 30);
    assertThat(batches).hasSize(3);
  }

  @Test
  void manyThreadsLoseNothingAndKeepTheirOrder() throws Exception {
    int threads = 4;
    int each = 50_000;
    Map<Integer, Integer> last = new HashMap<>();
    CountDownLatch all = new CountDownLatch(threads * each);
    host.addMachine(
        FIRST,
        Numbered.class,
        (message, turn) -> {
          int sender = message.value() / each;
          int sequence = message.value() % each;
          if (last.getOrDefault(sender, -1) != sequence - 1) {
            throw new AssertionError("out of order: " + message);
          }
          last.put(sender, sequence);
          all.countDown();
        });
    host.start();
    for (int t = 0; t < threads; t++) {
      int first = t * each;
      Thread.ofPlatform()
          .start(
              () -> {
                for (int i = 0; i < each; i++) {
                  host.send(FIRST, new Numbered(first + i));
                }
              });
    }

    assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(host.failure()).isEmpty();
  }

  @Test
  void aTimerFiresOnceItsTimeHasComeAndAReplacedOrCancelledOneNever() throws Exception {
    host.addMachine(
        FIRST,
        Numbered.class,
        (message, turn) -> {
          turn.send(EDGE, message);
          if (message.value() == 0) {
            turn.startTimer("replaced", Duration.ofMillis(1), new Numbered(1));
            turn.startTimer("replaced", Duration.ofMillis(20), new Numbered(2));
            turn.startTimer("cancelled", Duration.ofMillis(5), new Numbered(3));
            turn.cancelTimer("cancelled");
          }
        });
    host.addEdge(EDGE, batches::add);
    host.start();
    long before = System.nanoTime();
    host.send(FIRST, new Numbered(0));

    assertThat(batches.take()).containsExactly(new Numbered(0));
    assertThat(batches.take()).containsExactly(new Numbered(2));
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(20_000_000);
  }

  private static final Numbered WORK = new Numbered(1);
  private static final Numbered HEARTBEAT = new Numbered(2);
  private static final Numbered SILENCE = new Numbered(3);

  /// Watches for silence; work takes its time, and heartbeats arrive meanwhile.
  private MachineHost watchForSilence(Duration silence, Duration work, AtomicLong nanos) {
    MachineHost watching =
        new MachineHost("driver", 1, reported::complete, new LivedClock(nanos::get));
    watching.addMachine(
        FIRST,
        Numbered.class,
        (message, turn) -> {
          turn.send(EDGE, message);
          if (message.value() == 0) {
            turn.startTimer("silence", silence, SILENCE);
          } else if (message.equals(WORK)) {
            nanos.addAndGet(work.toNanos());
            watching.send(FIRST, HEARTBEAT);
          }
        });
    watching.addEdge(EDGE, batches::add);
    watching.start();
    watching.send(FIRST, new Numbered(0));
    return watching;
  }

  private List<Message> heard(int messages) throws InterruptedException {
    List<Message> heard = new ArrayList<>();
    while (heard.size() < messages) {
      heard.addAll(batches.take());
    }
    return heard;
  }

  @Test
  void aTimerComesAfterWhatArrivedBeforeItsTime() throws Exception {
    try (MachineHost watching =
        watchForSilence(Duration.ofMillis(500), Duration.ofMillis(600), new AtomicLong())) {
      watching.send(FIRST, WORK);

      assertThat(heard(4)).containsExactly(new Numbered(0), WORK, HEARTBEAT, SILENCE);
    }
  }

  @Test
  void timeForWhichTheProcessStoodStillIsNobodysSilence() throws Exception {
    AtomicLong nanos = new AtomicLong();
    try (MachineHost watching =
        watchForSilence(Duration.ofSeconds(10), Duration.ofMillis(900), nanos)) {
      heard(1);
      nanos.addAndGet(Duration.ofMinutes(5).toNanos()); // nothing of what was said has arrived yet
      for (int i = 4; i < 8; i++) { // each once the one before was heard, and no silence judged
        watching.send(FIRST, new Numbered(i));
        assertThat(heard(1)).containsExactly(new Numbered(i));
      }
      for (int i = 0; i < 12; i++) {
        watching.send(FIRST, WORK);
      }
      assertThat(heard(25)).contains(SILENCE); // it goes on counting
    }
  }

  @Test
  void aMachineThatThrowsStopsTheHostAndLeavesNothingBehind() throws Exception {
    IllegalStateException bug = new IllegalStateException("a bug");
    host.addMachine(
        FIRST,
        Numbered.class,
        (message, turn) -> {
          turn.send(EDGE, message);
          throw bug;
        });
    host.addEdge(EDGE, batches::add);
    host.start();
    host.send(FIRST, new Numbered(1));

    KilnException failure = reported.get();
    assertThat(failure).hasCause(bug).hasMessageContaining("driver/first failed on Numbered");
    assertThat(host.failure()).contains(failure);
    assertThatThrownBy(() -> host.send(FIRST, new Numbered(2)))
        .isInstanceOf(KilnException.class)
        .hasCause(failure);
    host.close();
    assertThat(batches).isEmpty();
  }

  @Test
  void aMessageOfTheWrongTypeIsAFailureOfTheHost() throws Exception {
    host.addMachine(FIRST, Numbered.class, (message, turn) -> {});
    host.start();
    host.send(FIRST, new Other());

    assertThat(reported.get().code()).isEqualTo("MACHINE_FAILED");
  }

  @Test
  void anEdgeThatThrowsStopsTheHost() throws Exception {
    host.addEdge(
        EDGE,
        _ -> {
          throw new IllegalStateException("full");
        });
    host.start();
    host.send(EDGE, new Numbered(1));

    assertThat(reported.get().code()).isEqualTo("HOST_FAILED");
  }

  @Test
  void anEdgeToAHostThatIsClosedStopsNothing() throws Exception {
    MachineHost closed = new MachineHost("other", 1, reported::complete);
    closed.start();
    closed.close();
    host.addMachine(FIRST, Numbered.class, (message, turn) -> turn.send(EDGE, message));
    host.addEdge(
        EDGE,
        batch -> {
          batches.add(batch);
          closed.send(SECOND, batch.getFirst());
        });
    host.start();
    host.send(FIRST, new Numbered(1));
    host.send(FIRST, new Numbered(2));

    assertThat(batches.take()).containsExactly(new Numbered(1));
    assertThat(batches.take()).containsExactly(new Numbered(2));
    assertThat(host.failure()).isEmpty();
  }

  @Test
  void closingHandlesWhatWasSentBeforeAndRefusesTheRest() {
    List<Integer> seen = new ArrayList<>();
    host.addMachine(FIRST, Numbered.class, (message, turn) -> seen.add(message.value()));
    host.start();
    for (int i = 0; i < 1000; i++) {
      host.send(FIRST, new Numbered(i));
    }
    host.close();

    assertThat(seen).hasSize(1000);
    assertThatThrownBy(() -> host.send(FIRST, new Numbered(0)))
        .isInstanceOfSatisfying(
            KilnException.class, e -> assertThat(e.code()).isEqualTo("HOST_STOPPED"));
    assertThat(reported).isNotDone();
  }

  @Test
  void aHostMayBeClosedByOneOfItsEdges() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    host.addEdge(
        EDGE,
        _ -> {
          host.close();
          closed.countDown();
        });
    host.start();
    host.send(EDGE, new Numbered(1));

    assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void edgesComeAndGoWhileTheHostRuns() throws Exception {
    host.addMachine(FIRST, Numbered.class, (message, turn) -> turn.send(EDGE, message));
    host.start();
    host.addEdge(EDGE, batches::add);
    host.send(FIRST, new Numbered(1));
    assertThat(batches.take()).containsExactly(new Numbered(1));

    host.removeEdge(EDGE);
    host.send(FIRST, new Numbered(2));
    host.close();
    assertThat(batches).isEmpty();
  }

  @Test
  void eachMachineHasARandomStreamOfItsOwn() throws Exception {
    Machine<Numbered> draws =
        (Numbered message, Turn turn) -> turn.send(EDGE, new Numbered(turn.random().nextInt()));
    host.addMachine(FIRST, Numbered.class, draws);
    host.addMachine(SECOND, Numbered.class, draws);
    host.addEdge(EDGE, batches::add);
    host.start();
    host.send(FIRST, new Numbered(0));
    host.send(SECOND, new Numbered(0));

    assertThat(batches.take()).isNotEqualTo(batches.take());
  }

  private record Kept(int value) implements Entry {}

  @Test
  void whatATurnKeepsIsDurableBeforeAnythingItSendsLeaves() throws Exception {
    BlockingQueue<Object> order = new LinkedBlockingQueue<>();
    host.addMachine(
        FIRST,
        Numbered.class,
        (message, turn) -> {
          turn.send(EDGE, message);
          turn.persist(new Kept(1));
          turn.persist(new Kept(2));
        },
        order::add);
    host.addEdge(EDGE, order::add);
    host.start();
    host.send(FIRST, new Numbered(7));

    assertThat(order.take()).isEqualTo(List.of(new Kept(1), new Kept(2)));
    assertThat(order.take()).isEqualTo(List.of(new Numbered(7)));
  }

  @Test
  void whereEntriesCantBeKeptNothingLeavesAndTheHostStops() throws Exception {
    host.addMachine(
        FIRST,
        Numbered.class,
        (message, turn) -> {
          turn.send(EDGE, message);
          turn.persist(new Kept(1));
        },
        _ -> {
          throw new KilnException("STORE_LOST", KilnException.Kind.EXTERNAL, "another leads");
        });
    host.addEdge(EDGE, batches::add);
    host.start();
    host.send(FIRST, new Numbered(7));

    assertThat(reported.get()).hasMessageContaining("another leads");
    host.close();
    assertThat(batches).isEmpty();
  }

  @Test
  void aMachineWhoseEntriesAreRefusedHearsItFirstAndItsTurnHasNotBeen() throws Exception {
    host.addMachine(
        FIRST,
        Numbered.class,
        (message, turn) -> {
          turn.send(EDGE, message);
          if (message.value() == 7) {
            turn.startTimer("late", Duration.ZERO, new Numbered(70));
            turn.persist(new Kept(1));
          }
        },
        _ -> {
          throw new EntriesRefused(new Numbered(8), "another leads");
        });
    host.addEdge(EDGE, batches::add);
    host.send(FIRST, new Numbered(7));
    host.send(FIRST, new Numbered(9));
    host.start();

    assertThat(batches.take()).isEqualTo(List.of(new Numbered(8)));
    assertThat(batches.take()).isEqualTo(List.of(new Numbered(9)));
    host.close();
    assertThat(batches).isEmpty();
  }

  @Test
  void aMachineWithoutAJournalMayKeepNothing() throws Exception {
    host.addMachine(FIRST, Numbered.class, (_, turn) -> turn.persist(new Kept(1)));
    host.start();
    host.send(FIRST, new Numbered(7));

    assertThat(reported.get()).hasMessageContaining("without a journal");
  }
}
