package io.kiln.storage.remote;

import io.kiln.api.KilnException;
import io.kiln.network.transport.ContentStream;
import io.kiln.protocol.DataHolder;
import io.kiln.protocol.MapOutputLocations;
import io.kiln.shuffle.CommittedOutput;
import io.kiln.shuffle.OutputOrigin;
import io.kiln.shuffle.ShuffleStore;
import io.kiln.shuffle.server.ShuffleRequest.CopyOutput;
import io.kiln.storage.remote.Departure.Left;
import io.kiln.storage.remote.Departure.OutputMoves;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The map outputs of a process that is about to end: those that the driver believes to be here are
/// copied by others, each by one, and the driver is told. Used by one thread, which starts some.
final class DepartingOutputs {
  private static final Logger logger = LoggerFactory.getLogger(DepartingOutputs.class);

  private final ShuffleStore own;
  private final Peers peers;
  private final OutputMoves moves;

  DepartingOutputs(ShuffleStore own, Peers peers, OutputMoves moves) {
    this.own = own;
    this.peers = peers;
    this.moves = moves;
  }

  /// @param others that stay
  /// @throws IOException if the driver can't be asked
  Left move(List<DataHolder> others) throws IOException, InterruptedException {
    int unconfirmed = 0;
    int failed = 0;
    for (int shuffleId : own.shuffleIds()) {
      List<CommittedOutput> here = here(shuffleId, peers.locations().mapOutputs(shuffleId));
      failed += here.size();
      for (Map.Entry<DataHolder, List<Integer>> copied : copy(here, others).entrySet()) {
        int[] maps = copied.getValue().stream().mapToInt(Integer::intValue).toArray();
        MapOutputLocations now = moves.moved(shuffleId, maps, copied.getKey());
        failed -= maps.length;
        unconfirmed += (int) IntStream.of(maps).filter(map -> isHere(now, map)).count();
      }
    }
    return new Left(unconfirmed, failed);
  }

  private List<CommittedOutput> here(int shuffleId, MapOutputLocations locations) {
    List<CommittedOutput> here = new ArrayList<>(own.outputs(shuffleId));
    here.removeIf(output -> !isHere(locations, output.output().mapPartition()));
    return here;
  }

  /// As the driver believes.
  private boolean isHere(MapOutputLocations locations, int mapPartition) {
    return locations.has(peers.self().executorId(), mapPartition);
  }

  /// @return who has which map partitions now
  private Map<DataHolder, List<Integer>> copy(
      List<CommittedOutput> outputs, List<DataHolder> others) throws InterruptedException {
    Map<Integer, DataHolder> copied = new ConcurrentHashMap<>();
    Queue<CommittedOutput> waiting = new ConcurrentLinkedQueue<>(outputs);
    List<Thread> threads = new ArrayList<>();
    for (int i = Math.min(peers.departure().threads(), outputs.size()); i > 0; i--) {
      threads.add(
          Thread.ofVirtual().name("kiln-departure").start(() -> copyAll(waiting, others, copied)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Map<DataHolder, List<Integer>> mapsOf = new HashMap<>();
    copied.forEach(
        (map, holder) -> mapsOf.computeIfAbsent(holder, _ -> new ArrayList<>()).add(map));
    return mapsOf;
  }

  private void copyAll(
      Queue<CommittedOutput> waiting, List<DataHolder> others, Map<Integer, DataHolder> copied) {
    try {
      for (CommittedOutput next = waiting.poll(); next != null; next = waiting.poll()) {
        copy(next, others, copied);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nobody interrupts this thread
    }
  }

  /// Spread by their numbers over those that stay; who declines is passed over.
  private void copy(
      CommittedOutput output, List<DataHolder> others, Map<Integer, DataHolder> copied)
      throws InterruptedException {
    int map = output.output().mapPartition();
    int tries = Math.min(others.size(), peers.departure().maxFailures());
    for (int i = 0; i < tries; i++) {
      DataHolder other = others.get((map + i) % others.size());
      if (isCopied(output, other)) {
        copied.put(map, other);
        return;
      }
    }
  }

  private boolean isCopied(CommittedOutput output, DataHolder by) throws InterruptedException {
    CopyOutput request =
        new CopyOutput(
            new OutputOrigin(
                output.output().shuffleId(),
                output.output().mapPartition(),
                output.taskAttemptId(),
                output.output().records()),
            output.output().partitionBytes().length,
            peers.self());
    try (ContentStream answer = peers.transport().open(by.address(), request)) {
      return answer.read() == 1;
    } catch (IOException | KilnException e) {
      logger.info(
          "The output of map task {} of shuffle {} can't be moved to {}: {}",
          output.output().mapPartition(),
          output.output().shuffleId(),
          by,
          e.getMessage());
      return false;
    }
  }
}
