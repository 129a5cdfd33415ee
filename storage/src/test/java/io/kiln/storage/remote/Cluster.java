package io.kiln.storage.remote;

import io.kiln.api.Pair;
import io.kiln.api.ShuffleDependency;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.transport.ContentSource;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.Transport;
import io.kiln.network.transport.TransportOptions;
import io.kiln.protocol.BlockId;
import io.kiln.protocol.DataHolder;
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.protocol.MapOutputLocations;
import io.kiln.shuffle.MapOutput;
import io.kiln.storage.Ground;
import io.kiln.storage.LocalStorage;
import io.kiln.storage.StorageOptions;
import io.kiln.storage.TaskStorage;
import io.kiln.storage.compression.CompressionCodec;
import io.kiln.storage.shuffle.ShuffleWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/// Several executors, as far as their data are concerned, in one process, and what a driver knows
/// of them.
final class Cluster implements AutoCloseable, Locations {
  private static final RecordCodec CODEC = ExecutorProtocol.codec(StorageProtocol::register);
  private static final AtomicLong nextTask = new AtomicLong();
  static final FetchOptions OPTIONS =
      new FetchOptions(Integer.MAX_VALUE, 48 << 20, 200 << 20, 3, Duration.ZERO);

  private static final DepartureOptions DEPARTURE =
      new DepartureOptions(true, true, 3, Duration.ZERO, 4, 1 << 20);

  private final BroadcastOptions broadcasts;
  final List<Node> nodes = new ArrayList<>();
  private final Map<BlockId, List<DataHolder>> holders = new HashMap<>();
  final AtomicInteger asked = new AtomicInteger();
  private final Map<Integer, Map<Integer, DataHolder>> mapOutputs = new ConcurrentHashMap<>();

  Cluster(int size, boolean secured) throws IOException {
    this(size, secured, options -> options, OPTIONS);
  }

  Cluster(int size, boolean secured, int pieceBytes) throws IOException {
    this(size, secured, options -> options, OPTIONS, pieceBytes);
  }

  Cluster(
      int size, boolean secured, UnaryOperator<StorageOptions> change, FetchOptions fetchOptions)
      throws IOException {
    this(size, secured, change, fetchOptions, 64 << 10);
  }

  private Cluster(
      int size,
      boolean secured,
      UnaryOperator<StorageOptions> change,
      FetchOptions fetchOptions,
      int pieceBytes)
      throws IOException {
    broadcasts = new BroadcastOptions(pieceBytes, true, CompressionCodec.LZ4);
    for (int i = 0; i < size; i++) {
      nodes.add(new Node("executor-" + i, secured, change, fetchOptions));
    }
  }

  /// What the driver does before it says where something is.
  interface Pause {
    void run() throws InterruptedException;
  }

  volatile Pause beforeAnswer = () -> {};

  /// One executor.
  final class Node {
    final Transport transport;
    final DataHolder self;
    final LocalStorage storage;
    final Path directory = Ground.newDirectory();

    Node(
        String id,
        boolean secured,
        UnaryOperator<StorageOptions> change,
        FetchOptions fetchOptions) {
      Optional<byte[]> secret =
          secured
              ? Optional.of("the secret of this test".getBytes(StandardCharsets.UTF_8))
              : Optional.empty();
      transport =
          new Transport(TransportOptions.of(new Peer(id, 1, "0.1"), secret), CODEC, new Unheard());
      self = new DataHolder(id, transport.listen("127.0.0.1", "localhost", 0));
      storage =
          LocalStorage.open(
              change.apply(StorageOptions.in(directory)),
              ApplicationClasses.of(Cluster.class.getClassLoader()),
              new Peers(
                  transport,
                  self,
                  Cluster.this,
                  this::changed,
                  fetchOptions,
                  broadcasts,
                  DEPARTURE));
      transport.serve(storage.server());
    }

    private void changed(List<BlockId> added, List<BlockId> removed) {
      synchronized (holders) {
        added.forEach(id -> holders.computeIfAbsent(id, _ -> new ArrayList<>()).add(self));
        removed.forEach(id -> holders.getOrDefault(id, new ArrayList<>()).remove(self));
      }
    }

    TaskStorage newTask() {
      return storage.forTask(nextTask.getAndIncrement());
    }

    /// Changes what it answers.
    void serve(UnaryOperator<ContentSource> change) {
      transport.serve(change.apply(storage.server()));
    }

    <K, V> MapOutput write(
        ShuffleDependency<K, V, ?> shuffle, int mapPartition, List<Pair<K, V>> records)
        throws Exception {
      try (TaskStorage task = newTask()) {
        ShuffleWriter<K, V> writer = task.shuffleWriter(shuffle, mapPartition);
        for (Pair<K, V> record : records) {
          writer.accept(record);
        }
        MapOutput output = writer.commit();
        outputs(shuffle.shuffleId()).put(mapPartition, self);
        return output;
      }
    }

    <K, C> List<Pair<K, C>> read(ShuffleDependency<K, ?, C> shuffle, int first, int end)
        throws Exception {
      try (TaskStorage task = newTask()) {
        return Ground.push(task.readShuffle(shuffle, first, end));
      }
    }

    /// The file of all map outputs, the last written at its end.
    Path file(int shuffleId) throws IOException {
      try (var files = Files.walk(directory)) {
        return files
            .filter(file -> file.getParent().endsWith("shuffle-" + shuffleId))
            .filter(file -> file.toString().endsWith(".data"))
            .findFirst()
            .orElseThrow();
      }
    }

    long spills() throws IOException {
      try (var files = Files.walk(directory)) {
        return files
            .filter(Files::isRegularFile)
            .filter(file -> file.getParent().endsWith("spills"))
            .count();
      }
    }
  }

  Map<Integer, DataHolder> outputs(int shuffleId) {
    return mapOutputs.computeIfAbsent(shuffleId, _ -> new ConcurrentHashMap<>());
  }

  @Override
  public MapOutputLocations mapOutputs(int shuffleId) throws InterruptedException {
    beforeAnswer.run();
    asked.incrementAndGet();
    Map<Integer, DataHolder> outputs = outputs(shuffleId);
    int maps = outputs.keySet().stream().mapToInt(map -> map + 1).max().orElse(0);
    List<DataHolder> holders = nodes.stream().map(node -> node.self).toList();
    int[] holderOfMap = new int[maps];
    Arrays.fill(holderOfMap, MapOutputLocations.NONE);
    outputs.forEach((map, holder) -> holderOfMap[map] = holders.indexOf(holder));
    return new MapOutputLocations(holders, holderOfMap);
  }

  @Override
  public List<DataHolder> holders(BlockId id) throws InterruptedException {
    beforeAnswer.run();
    synchronized (holders) {
      return List.copyOf(holders.getOrDefault(id, List.of()));
    }
  }

  @Override
  public List<DataHolder> peers() {
    return nodes.stream().map(node -> node.self).toList();
  }

  /// The first process, which in tests of broadcasts is their owner.
  @Override
  public DataHolder driver() {
    return nodes.getFirst().self;
  }

  @Override
  public void close() throws IOException {
    for (Node node : nodes) {
      node.transport.close();
      node.storage.close();
      Files.delete(node.directory); // fails if something is left
    }
  }

  private static final class Unheard implements LinkListener {
    @Override
    public void linkOpened(Link link) {}

    @Override
    public void linkClosed(Link link, String why) {}
  }
}
