package io.kiln.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.network.transport.ContentSource;
import io.kiln.protocol.BlockId.BroadcastPiece;
import io.kiln.storage.StorageOptions.MemoryOptions;
import io.kiln.storage.StorageStatus;
import io.kiln.storage.block.StoredBytes;
import io.kiln.storage.remote.StorageRequest.DescribeBroadcast;
import io.kiln.storage.remote.StorageRequest.ReadBlock;
import java.io.ByteArrayInputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class SharedBroadcastsTest {
  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /// Serialised by Java.
  private static final class Node implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final Node next;

    Node(String name, Node next) {
      this.name = name;
      this.next = next;
    }

    private Object readResolve() {
      return this; // says itself how it is serialised
    }

    String names() {
      return next == null ? name : name + " " + next.names();
    }
  }

  /// Counts the pieces that are asked for.
  private static ContentSource counting(ContentSource real, AtomicInteger pieces) {
    return (peer, request) -> {
      if (request instanceof ReadBlock(BroadcastPiece _)) {
        pieces.incrementAndGet();
      }
      return real.open(peer, request);
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void valuesOfAllKindsArrive(boolean secured) throws Exception {
    Map<Integer, String> map =
        IntStream.range(0, 50_000).boxed().collect(Collectors.toMap(i -> i, i -> "value " + i));
    Node list = null;
    for (int i = 0; i < 200; i++) {
      list = new Node("node " + i + "x".repeat(5_000), list);
    }
    List<String> texts = List.of("", "\u4f60".repeat(1_000_000), "a".repeat(3_000_000));
    HashMap<String, Object> nulls = new HashMap<>();
    nulls.put(null, List.of());
    try (Cluster cluster = new Cluster(3, secured)) {
      SharedBroadcasts owner = cluster.nodes.getFirst().storage.shared();
      owner.publish(0, map);
      owner.publish(1, random(5_000_000));
      owner.publish(2, list);
      owner.publish(3, texts);
      owner.publish(4, nulls);
      owner.publish(5, new long[] {1, Long.MIN_VALUE});
      owner.publish(6, 7);
      owner.publish(7, null);
      for (Cluster.Node node : cluster.nodes) {
        SharedBroadcasts here = node.storage.shared();
        assertThat(here.value(0)).isEqualTo(map);
        assertThat((byte[]) here.value(1)).isEqualTo(random(5_000_000));
        assertThat(((Node) here.value(2)).names()).isEqualTo(list.names());
        assertThat(here.value(3)).isEqualTo(texts);
        assertThat(here.value(4)).isEqualTo(nulls);
        assertThat((long[]) here.value(5)).containsExactly(1, Long.MIN_VALUE);
        assertThat(here.value(6)).isEqualTo(7);
        assertThat(here.value(7)).isNull();
        assertThat(here.value(0)).isSameAs(here.value(0));
      }
    }
  }

  @Test
  void piecesComeFromOtherExecutorsOnceTheyHaveThem() throws Exception {
    AtomicInteger fromOwner = new AtomicInteger();
    AtomicInteger fromFirst = new AtomicInteger();
    byte[] value = random(1_000_000);
    try (Cluster cluster = new Cluster(4, true)) {
      cluster.nodes.get(0).serve(real -> counting(real, fromOwner));
      cluster.nodes.get(1).serve(real -> counting(real, fromFirst));
      cluster.nodes.get(0).storage.shared().publish(1, value);
      cluster.nodes.get(1).storage.shared().value(1);
      int pieces = fromOwner.get();
      assertThat(pieces).isGreaterThan(10);
      cluster.nodes.get(2).storage.shared().value(1);
      assertThat(fromOwner).hasValue(pieces);
      assertThat(fromFirst).hasValue(pieces);
      assertThat((byte[]) cluster.nodes.get(3).storage.shared().value(1)).isEqualTo(value);
      assertThat(fromOwner).hasValue(pieces);
    }
  }

  @Test
  void tasksOfAnExecutorShareOneFetchAndOneValue() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (Cluster cluster = new Cluster(2, true);
        ExecutorService slots = Executors.newFixedThreadPool(8)) {
      cluster.nodes.get(0).storage.shared().publish(1, random(1_000_000));
      cluster
          .nodes
          .get(0)
          .serve(
              real ->
                  (peer, request) -> {
                    if (request instanceof DescribeBroadcast) {
                      asked.incrementAndGet();
                      first.countDown();
                      goOn.await();
                    }
                    return real.open(peer, request);
                  });
      List<Future<Object>> values = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        values.add(slots.submit(() -> cluster.nodes.get(1).storage.shared().value(1)));
      }
      first.await();
      goOn.countDown();
      for (Future<Object> value : values) {
        assertThat(value.get()).isSameAs(values.getFirst().get());
      }
      assertThat(asked).hasValue(1);
    } finally {
      goOn.countDown();
    }
  }

  /// The one that fetches is interrupted: the next takes its place.
  @Test
  void anInterruptedTaskLetsTheNextFetch() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    try (Cluster cluster = new Cluster(2, true);
        ExecutorService slots = Executors.newFixedThreadPool(1)) {
      cluster.nodes.get(0).storage.shared().publish(1, 42);
      cluster
          .nodes
          .get(0)
          .serve(
              real ->
                  (peer, request) -> {
                    if (request instanceof DescribeBroadcast && asked.getAndIncrement() == 0) {
                      first.countDown();
                      goOn.await();
                    }
                    return real.open(peer, request);
                  });
      Callable<Object> read = () -> cluster.nodes.get(1).storage.shared().value(1);
      Thread[] runs = new Thread[1];
      Future<Throwable> interrupted =
          slots.submit(
              () -> {
                runs[0] = Thread.currentThread();
                try {
                  return new AssertionError("it got " + read.call());
                } catch (InterruptedException e) {
                  return e;
                }
              });
      first.await();
      runs[0].interrupt();
      assertThat(read.call()).isEqualTo(42);
      assertThat(interrupted.get()).isInstanceOf(InterruptedException.class);
    } finally {
      goOn.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dead", "without", "changing"})
  void aHolderThatFailsIsPassedOver(String fault) throws Exception {
    byte[] value = random(1_000_000);
    try (Cluster cluster = new Cluster(3, true)) {
      cluster.nodes.get(0).storage.shared().publish(1, value);
      Cluster.Node holder = cluster.nodes.get(1);
      holder.storage.shared().value(1);
      switch (fault) {
        case "dead" -> holder.transport.close();
        case "without" ->
            holder.serve(
                _ ->
                    (_, _) -> {
                      throw new KilnException("NO_CONTENT", KilnException.Kind.EXTERNAL, "gone");
                    });
        default ->
            holder.serve(
                _ ->
                    (_, _) ->
                        CheckedContent.of(
                            new StoredBytes(5, new ByteArrayInputStream(new byte[5]))));
      }
      assertThat((byte[]) cluster.nodes.get(2).storage.shared().value(1)).isEqualTo(value);
    }
  }

  @Test
  void whatTheOwnerNoLongerHasIsSaid() throws Exception {
    try (Cluster cluster = new Cluster(2, true)) {
      SharedBroadcasts owner = cluster.nodes.get(0).storage.shared();
      SharedBroadcasts other = cluster.nodes.get(1).storage.shared();
      owner.publish(1, random(100_000));
      other.value(1);
      cluster.nodes.get(1).storage.removeBroadcast(1);
      assertThat(cluster.nodes.get(1).storage.status().blocks()).isZero();
      cluster.nodes.get(0).storage.removeBroadcast(1);
      assertThat(cluster.nodes.get(0).storage.status().blocks()).isPositive(); // it still offers it
      assertThat((byte[]) other.value(1)).hasSize(100_000);
      assertThat(cluster.holders(new BroadcastPiece(1, 0))).hasSize(2);
      cluster.nodes.get(1).storage.removeBroadcast(1);
      owner.withdraw(1);
      assertThat(cluster.nodes.get(0).storage.status().blocks()).isZero();
      assertThat(cluster.holders(new BroadcastPiece(1, 0))).isEmpty();
      assertThatThrownBy(() -> other.value(1))
          .isInstanceOfSatisfying(
              KilnException.class, e -> assertThat(e.code()).isEqualTo("BROADCAST_DESTROYED"))
          .hasMessage("broadcast 1 was destroyed; destroy it only after its last use");
    }
  }

  @Test
  void withoutMemoryThePiecesLieOnDiskAndTheValueIsMadeAgain() throws Exception {
    byte[] value = random(3_000_000);
    try (Cluster cluster =
        new Cluster(
            2,
            true,
            options -> options.withMemory(MemoryOptions.ofEngine(200_000)),
            Cluster.OPTIONS)) {
      cluster.nodes.get(0).storage.shared().publish(1, value);
      SharedBroadcasts other = cluster.nodes.get(1).storage.shared();
      assertThat((byte[]) other.value(1)).isEqualTo(value);
      for (Cluster.Node node : cluster.nodes) {
        StorageStatus status = node.storage.status();
        assertThat(status.storageBytes()).isLessThanOrEqualTo(200_000);
        assertThat(status.diskBytes()).isGreaterThan(2_800_000);
      }
      assertThat((byte[]) other.value(1)).isEqualTo(value);
    }
  }
}
