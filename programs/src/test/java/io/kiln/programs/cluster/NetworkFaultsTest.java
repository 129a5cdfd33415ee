package io.kiln.programs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import io.kiln.api.Version;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.Transport;
import io.kiln.network.transport.TransportOptions;
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.storage.remote.StorageProtocol;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whatever strangers do to the ports of a driver and its executors, jobs go on, and nothing of it
/// stays.
@Timeout(180)
class NetworkFaultsTest {
  private static final byte[] FOUR_GIGABYTES = {-1, -1, -1, -1, 1, 2, 3, 4, 5, 6, 7, 8};
  private static final int IDLE_CONNECTIONS = 10_000;

  /// More of them than a process believes to be honest are closed; see `PendingConnections`.
  private static final int MAX_PENDING = 1024;

  /// Connections between the processes that come and go with jobs.
  private static final int DESCRIPTORS_OF_JOBS = 20;

  private static final long HEAP_OF_JOBS = 12L << 20;

  @TempDir private static Path directory;
  private static SeparateDriver driver;
  private static String secret;
  private static List<ProcessHandle> processes;
  private static List<Integer> ports;

  private List<Integer> descriptors;
  private List<Long> heap;

  /// What is done to one port. When it returns, the other side has closed all connections.
  private interface Attack {
    void on(int port) throws Exception;
  }

  @BeforeAll
  static void start() throws IOException {
    driver = new SeparateDriver(directory);
    driver.assertJobIsRight();
    processes = driver.processes();
    secret = driver.secret();
    ports = processes.stream().map(Sockets::listeningPorts).flatMap(List::stream).toList();
    assertThat(processes).hasSize(3);
    assertThat(ports).as("each process listens on one port").hasSize(3);
  }

  @AfterAll
  static void end() throws Exception {
    driver.close();
  }

  @BeforeEach
  void measure() {
    driver.assertJobIsRight();
    descriptors = processes.stream().map(Sockets::openDescriptors).toList();
    heap = driver.heapBytes();
  }

  @AfterEach
  void nothingStays() {
    assertThat(driver.processes()).as("no process had to be replaced").isEqualTo(processes);
    for (int i = 0; i < processes.size(); i++) {
      ProcessHandle process = processes.get(i);
      int limit = descriptors.get(i) + DESCRIPTORS_OF_JOBS;
      await("few descriptors of " + process, () -> Sockets.openDescriptors(process) <= limit);
    }
    await("little in the driver's heap", () -> driver.heapBytes().get(0) < heap(0));
    await("little in an executor's heap", () -> driver.heapBytes().get(1) < heap(1));
  }

  private long heap(int index) {
    return heap.get(index) + HEAP_OF_JOBS;
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /// All ports at the same time, while jobs run.
  private static void attack(Attack attack) throws Exception {
    List<CompletableFuture<Void>> attacks = new ArrayList<>();
    for (int port : ports) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      attacks.add(done);
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  attack.on(port);
                  done.complete(null);
                } catch (Throwable e) {
                  done.completeExceptionally(e);
                }
              });
    }
    CompletableFuture<Void> all =
        CompletableFuture.allOf(attacks.toArray(CompletableFuture[]::new));
    do {
      driver.assertJobIsRight();
    } while (!all.isDone());
    all.get();
    driver.assertJobIsRight();
  }

  /// Some process has said so of the address; another may have known it too, as it is the port that
  /// differs.
  private static void assertLogged(String address, String... words) {
    String begin = "A connection from " + address + " was closed: ";
    await(
        "the log says: " + begin + List.of(words),
        () -> driver.log().lines().anyMatch(line -> containsAll(line, begin, words)));
  }

  private static boolean containsAll(String line, String begin, String... words) {
    return line.contains(begin) && Arrays.stream(words).allMatch(line::contains);
  }

  /// Those that get as far as TLS are few, here and below: a process says the same only so often a
  /// minute.
  @Test
  void randomBytes() throws Exception {
    attack(
        port -> {
          Random random = new Random(port);
          for (int i = 0; i < 100; i++) {
            byte[] bytes = new byte[random.nextInt(8, 3000)];
            random.nextBytes(bytes);
            if (i % 8 == 0) {
              bytes[0] = 0x16; // as TLS begins
            }
            try (Stranger stranger = i % 10 == 5 ? Stranger.secured(port) : Stranger.plain(port)) {
              stranger.send(bytes);
              if (i % 8 != 0) { // else it may wait for the rest, until it has waited for too long
                stranger.awaitEnd();
              }
              if (i == 5) {
                assertLogged(stranger.address(), "it is no Kiln process");
              }
            }
          }
        });
  }

  @Test
  void halfAHelloAndThenSilence() throws Exception {
    attack(
        port -> {
          List<Stranger> strangers = new ArrayList<>();
          for (int i = 0; i < 30; i++) {
            Stranger plain = Stranger.plain(port);
            strangers.add(plain.send(new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1}));
            Stranger secured = Stranger.secured(port);
            byte[] whole = secured.introduction(secret, 1, Version.CURRENT);
            strangers.add(secured.send(Arrays.copyOf(whole, whole.length / 2)));
          }
          for (Stranger stranger : strangers) {
            assertThat(stranger.awaitEnd()).isLessThan(100); // an alert of TLS at most
            stranger.close();
          }
          assertLogged(strangers.get(0).address(), "in time");
          assertLogged(strangers.get(1).address(), "in time");
        });
  }

  @Test
  void aFrameOfFourGigabytes() throws Exception {
    attack(
        port -> {
          for (int i = 0; i < 3; i++) {
            try (Stranger plain = Stranger.plain(port);
                Stranger secured = Stranger.secured(port)) {
              assertThat(plain.send(FOUR_GIGABYTES).awaitEnd()).isLessThan(100);
              assertThat(secured.send(FOUR_GIGABYTES).awaitEnd()).isZero();
              assertLogged(secured.address(), "it is no Kiln process", "more than 1024 bytes");
            }
          }
        });
    assertThat(driver.log()).contains("what it sends is no TLS");
  }

  @Test
  void aWrongSecret() throws Exception {
    attack(
        port -> {
          try (Stranger stranger = Stranger.secured(port)) {
            byte[] introduction = stranger.introduction("a guess", 1, Version.CURRENT);
            assertThat(stranger.send(introduction).awaitEnd()).isZero();
            assertLogged(stranger.address(), "does not know the secret");
          }
          assertThat(
                  refusal(
                      port,
                      options("a guess", Version.CURRENT),
                      ExecutorProtocol.codec(StorageProtocol::register)))
              .contains("secrets")
              .hasLineCount(1);
        });
  }

  @Test
  void anotherProtocol() throws Exception {
    attack(
        port -> {
          try (Stranger stranger = Stranger.secured(port)) {
            stranger.send(stranger.introduction(secret, 99, "9.9.9"));
            assertThat(new String(stranger.receive(), StandardCharsets.ISO_8859_1))
                .as("it hears whom it talks to")
                .contains(Version.CURRENT);
            assertThat(stranger.awaitEnd()).isZero();
            assertLogged(stranger.address(), "protocol 99", "9.9.9", "protocol 1", Version.CURRENT);
          }
        });
  }

  @Test
  void anotherEngine() throws Exception {
    attack(
        port -> {
          assertThat(refusal(port, options(secret, "9.9.8"), otherCodec()))
              .contains("Kiln 9.9.8", "Kiln " + Version.CURRENT, "use one build")
              .hasLineCount(1);
          await(
              "the other side says so too",
              () ->
                  driver
                      .log()
                      .lines()
                      .anyMatch(
                          line ->
                              containsAll(
                                  line,
                                  "A connection from 127.0.0.1:",
                                  "Kiln 9.9.8",
                                  "Kiln " + Version.CURRENT)));
        });
  }

  private static RecordCodec otherCodec() {
    return RecordCodec.builder(MethodHandles.lookup()).build();
  }

  private static TransportOptions options(String known, String engineVersion) {
    return TransportOptions.of(
        new Peer("executor-77", 5, engineVersion),
        Optional.of(known.getBytes(StandardCharsets.UTF_8)));
  }

  /// Why no link comes about.
  private static String refusal(int port, TransportOptions options, RecordCodec codec)
      throws InterruptedException, ExecutionException {
    CompletableFuture<String> refused = new CompletableFuture<>();
    LinkListener listener =
        new LinkListener() {
          @Override
          public void linkClosed(Link link, String why) {
            refused.complete(why);
          }
        };
    try (Transport transport = new Transport(options, codec, listener)) {
      Link _ = transport.link(new NodeAddress("127.0.0.1", port));
      return refused.get();
    }
  }

  @Test
  void tenThousandConnectionsThatSayNothing() throws Exception {
    for (int i = 0; i < ports.size(); i++) {
      floodAndLookAround(ports.get(i), processes.get(i), descriptors.get(i));
    }
  }

  private static void floodAndLookAround(int port, ProcessHandle process, int descriptorsBefore)
      throws Exception {
    int count = Math.min(IDLE_CONNECTIONS, descriptorsLeft());
    List<SocketChannel> silent = new ArrayList<>();
    try (Selector ends = Selector.open()) {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      while (silent.size() < count) {
        SocketChannel channel = SocketChannel.open(address);
        silent.add(channel);
        channel.configureBlocking(false).register(ends, SelectionKey.OP_READ);
        if (silent.size() % (count / 4) == 0) {
          driver.assertJobIsRight();
          assertNewcomersAreBelieved(port);
          assertThat(Sockets.openDescriptors(process))
              .isLessThan(descriptorsBefore + MAX_PENDING + 100);
        }
      }
      awaitEnds(ends, count);
    } finally {
      for (SocketChannel channel : silent) {
        channel.close();
      }
    }
    driver.assertJobIsRight();
    assertThat(driver.log()).contains("had not introduced themselves", "it said nothing in time");
    assertThat(driver.log().lines().filter(line -> line.contains("had not introduced")))
        .as("the log isn't flooded")
        .hasSizeLessThan(IDLE_CONNECTIONS / 50);
  }

  private static int descriptorsLeft() {
    UnixOperatingSystemMXBean system =
        (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return (int) (system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount() - 500);
  }

  /// One that knows the secret gets an answer, whatever else is connected.
  private static void assertNewcomersAreBelieved(int port) throws Exception {
    CompletableFuture<Link> opened = new CompletableFuture<>();
    LinkListener listener =
        new LinkListener() {
          @Override
          public void linkOpened(Link link) {
            opened.complete(link);
          }
        };
    try (Transport transport =
        new Transport(
            options(secret, Version.CURRENT),
            ExecutorProtocol.codec(StorageProtocol::register),
            listener)) {
      Link _ = transport.link(new NodeAddress("127.0.0.1", port));
      assertThat(opened.get(10, TimeUnit.SECONDS).peer()).isPresent();
    }
  }

  private static void awaitEnds(Selector ends, int count) throws IOException {
    for (int ended = 0; ended < count; ) {
      assertThat(ends.select(60_000)).as("ended: %s", ended).isPositive();
      for (SelectionKey key : ends.selectedKeys()) {
        key.cancel();
        ended++;
      }
      ends.selectedKeys().clear();
    }
  }
}
