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
import io.kiln.cluster.client.ClientNews.ExecutorGone;
import io.kiln.cluster.client.ClientNews.ExecutorGranted;
import io.kiln.cluster.client.ClientNews.ExecutorRunning;
import io.kiln.cluster.client.ClientNews.Waiting;
import io.kiln.cluster.client.ClientNews.WorkerGone;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// An application: holds its client to its word, changes its mind now and then on how many
/// executors it wants, and is done after a while.
final class ApplicationDouble implements Machine<Message> {
  private record Ponder() implements Message {}

  private record Done() implements Message {}

  private final Address client;
  private final Duration length;
  private final Set<Integer> known = new TreeSet<>();
  private final Set<Integer> held = new TreeSet<>();
  private Optional<String> id = Optional.empty();
  private Optional<Dead> dead = Optional.empty();
  private boolean connected;
  private boolean stopped;

  /// @param length of its work, from its first connection on
  ApplicationDouble(Address client, Duration length) {
    this.client = client;
    this.length = length;
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
        held.add(executor);
      }
      case ExecutorRunning running ->
          demand(held.contains(running.executorId()), client + " can't have " + running);
      case ExecutorGone gone ->
          demand(held.remove(gone.executorId()), client + " can't lose " + gone);
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
      turn.send(client, new ClientEvent.KillExecutors(List.of(held.iterator().next())));
    }
    turn.startTimer(Ponder.class, Duration.ofSeconds(5), new Ponder());
  }
}
