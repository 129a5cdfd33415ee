package io.kiln.daemon;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.runtime.Edge;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/// Asks the machine of this process, and is told its answers. Thread-safe; nothing in it blocks.
///
/// @param <Q> what is asked
public final class Questions<Q extends Message> implements Edge {
  private final Address self;
  private final Consumer<Q> machine;
  private final Function<Message, String> idOfAnswer;
  private final Duration answersWithin;

  // an entry lives until the answer or the end of the time for it
  private final Map<String, CompletableFuture<Message>> asked = new ConcurrentHashMap<>();

  /// @param self where answers come
  /// @param machine takes what is asked
  /// @param idOfAnswer the id of the question that it answers
  /// @param answersWithin after which an answer is not waited for any more
  public Questions(
      Address self,
      Consumer<Q> machine,
      Function<Message, String> idOfAnswer,
      Duration answersWithin) {
    this.self = self;
    this.machine = machine;
    this.idOfAnswer = idOfAnswer;
    this.answersWithin = answersWithin;
  }

  /// Where answers go.
  public Address address() {
    return self;
  }

  /// @param question made with its id
  /// @return completed exceptionally with a [KilnException] if the machine has stopped, or a
  ///     `TimeoutException`
  public <A extends Message> CompletableFuture<A> ask(Function<String, Q> question, Class<A> type) {
    String id = UUID.randomUUID().toString();
    CompletableFuture<Message> answer = new CompletableFuture<>();
    asked.put(id, answer);
    CompletableFuture<A> typed =
        answer
            .orTimeout(answersWithin.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete((_, _) -> asked.remove(id))
            .thenApply(type::cast);
    try {
      machine.accept(question.apply(id));
    } catch (KilnException e) {
      answer.completeExceptionally(e);
    }
    return typed;
  }

  @Override
  public void deliver(List<Message> batch) {
    for (Message answer : batch) {
      CompletableFuture<Message> waiting = asked.get(idOfAnswer.apply(answer));
      if (waiting != null) {
        waiting.complete(answer);
      }
    }
  }
}
