package io.kiln.driver.cluster;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.runtime.Edge;
import io.kiln.scheduler.dag.DagMessage.LocateOutputs;
import io.kiln.scheduler.dag.DagMessage.OutputsLocated;
import io.kiln.scheduler.task.TaskMessage.OutputsMoved;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/// Asks the dag machine where map outputs lie. Thread-safe.
final class OutputQuestions implements Edge {
  private static final Address ADDRESS = new Address("driver", "outputs");

  private final Machines machines;
  private final long timeoutMillis;
  private final AtomicLong nextQuestion = new AtomicLong();
  private final Map<Long, CompletableFuture<List<String>>> open = new ConcurrentHashMap<>();

  OutputQuestions(Machines machines, long timeoutMillis) {
    this.machines = machines;
    this.timeoutMillis = timeoutMillis;
    machines.addEdge(ADDRESS, this);
  }

  /// Blocks until the machine answers.
  ///
  /// @return for each map partition the executor that has its output; empty where there is none
  /// @throws KilnException if the machines have stopped
  List<String> locate(int shuffleId) {
    return ask(question -> machines.toDag(new LocateOutputs(shuffleId, question, ADDRESS)));
  }

  /// As [#locate], after outputs were moved.
  List<String> move(int shuffleId, int[] mapPartitions, String from, String to) {
    return ask(
        question ->
            machines.toTasks(
                new OutputsMoved(shuffleId, mapPartitions, from, to, question, ADDRESS)));
  }

  private List<String> ask(LongConsumer asking) {
    long question = nextQuestion.getAndIncrement();
    CompletableFuture<List<String>> answer = new CompletableFuture<>();
    open.put(question, answer);
    try {
      asking.accept(question);
      return answer.orTimeout(timeoutMillis, TimeUnit.MILLISECONDS).join();
    } finally {
      open.remove(question);
    }
  }

  @Override
  public void deliver(List<Message> batch) {
    for (Message message : batch) {
      OutputsLocated located = (OutputsLocated) message;
      CompletableFuture<List<String>> asked = open.get(located.question());
      if (asked != null) {
        asked.complete(located.executorIds());
      }
    }
  }
}
