package io.kiln.simulation.cluster;

import static io.kiln.simulation.cluster.ClusterChecks.demand;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.client.ClientEvent;
import io.kiln.cluster.client.ClientNews;
import io.kiln.cluster.client.ClientNews.Connected;
import io.kiln.cluster.client.ClientNews.Dead;
import io.kiln.cluster.client.ClientNews.Disconnected;
import io.kiln.cluster.client.ClientNews.ExecutorDecommissioned;
import io.kiln.cluster.client.ClientNews.ExecutorGone;
import io.kiln.cluster.client.ClientNews.ExecutorGranted;
import io.kiln.cluster.client.ClientNews.ExecutorRunning;
import io.kiln.cluster.client.ClientNews.Waiting;
import io.kiln.cluster.client.ClientNews.WorkerGone;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// An application: holds its client to its word, changes its mind now and then on how many
/// executors it wants, and is done after a while.
final class ApplicationDouble implements Machine<Message> {
  private record Ponder() implements Message {}

  private record Done() implements Message {}

  private final Address client;
  private final Duration length;
  private final boolean letsGo;
  private final Set<Integer> known = new TreeSet<>();

  /// The workers of executors that it has.
  private final TreeMap<Integer, String> held = new TreeMap<>();

  private final Set<Integer> leaving = new TreeSet<>();
  private Optional<String> id = Optional.empty();
  private Optional<Dead> dead = Optional.empty();
  private boolean connected;
  private boolean stopped;

  /// @param length of its work, from its first connection on
  /// @param letsGo whether executors that are to go do so at once; else they stay as long as they
  /// may
  ApplicationDouble(Address client, Duration length, boolean letsGo) {
    this.client = client;
    this.length = length;
    this.letsGo = letsGo;
  }

  Optional<Dead> dead() {
    return dead;
  }

  int executors() {
    return known.size();
  }

  @Override
  public void handle(Message message, Turn turn) {
    switch (message) {
      case ClientNews news -> {
        demand(dead.isEmpty(), client + " is dead, but hears " + news);
        hear(news, turn);
      }
      case Ponder _ -> ponder(turn);
      case Done _ -> {
        stopped = true;
        turn.send(client, new ClientEvent.Stop());
      }
      default -> throw new AssertionError("an application can't take " + message);
    }
  }

  private void hear(ClientNews news, Turn turn) {
    switch (news) {
      case Connected now -> {
        demand(!connected, client + " is connected twice");
        demand(id.isEmpty() || id.get().equals(now.applicationId()), client + " has a second id");
        if (id.isEmpty()) {
          id = Optional.of(now.applicationId());
          turn.startTimer(Done.class, length, new Done());
          turn.startTimer(Ponder.class, Duration.ofSeconds(5), new Ponder());
        }
        connected = true;
      }
      case Disconnected _ -> {
        demand(connected, client + " is disconnected twice");
        connected = false;
      }
      case ExecutorGranted granted -> {
        int executor = granted.executor().executorId();
        demand(known.add(executor), client + " got executor " + executor + " twice");
        held.put(executor, granted.executor().workerId());
      }
      case ExecutorRunning running ->
          demand(held.containsKey(running.executorId()), client + " can't have " + running);
      case ExecutorDecommissioned(int executor, String why) -> {
        demand(!why.isEmpty(), client + " is to give executor " + executor + " up in silence");
        demand(
            held.containsKey(executor) && leaving.add(executor),
            client + " is told twice to give up " + executor);
        if (letsGo) {
          turn.send(
              new Address(held.get(executor), "runner"),
              new RunnerDouble.LeaveExecutor(id.orElseThrow(), executor));
        }
      }
      case ExecutorGone gone ->
          demand(held.remove(gone.executorId()) != null, client + " can't lose " + gone);
      case WorkerGone _ -> {}
      case Waiting waiting -> demand(!waiting.message().isEmpty(), client + " waits in silence");
      case Dead last -> {
        demand(!last.reason().isEmpty(), client + " died in silence");
        dead = Optional.of(last);
      }
    }
  }

  private void ponder(Turn turn) {
    if (stopped || dead.isPresent()) {
      return;
    }
    if (turn.random().nextInt(3) == 0) {
      turn.send(client, new ClientEvent.RequestExecutors(turn.random().nextInt(12)));
    }
    if (turn.random().nextInt(3) == 0 && !held.isEmpty()) {
      turn.send(client, new ClientEvent.KillExecutors(List.of(held.firstKey())));
    }
    turn.startTimer(Ponder.class, Duration.ofSeconds(5), new Ponder());
  }
}
