package io.kiln.executor.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnException;
import io.kiln.executor.ExceptionPayload;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.TaskFailure;
import io.kiln.protocol.TaskResult;
import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.Failed;
import io.kiln.protocol.TaskUpdate.Succeeded;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UpdateSenderTest {
  private final List<TaskUpdates> sent = new ArrayList<>();

  private static TaskUpdate result(long taskId, int bytes) {
    return new Succeeded(taskId, new TaskResult.Sent(new byte[bytes], new byte[0]), 1);
  }

  private static TaskUpdates updates(TaskUpdate... updates) {
    return new TaskUpdates("3", 7, List.of(updates));
  }

  private List<List<Long>> sentIds() {
    return sent.stream()
        .map(each -> each.updates().stream().map(TaskUpdate::taskId).toList())
        .toList();
  }

  @Test
  void smallUpdatesGoTogetherAndLargeOnesInMessagesOfTheirOwn() {
    new UpdateSender(sent::add)
        .accept(updates(result(1, 10), result(2, 7 << 20), result(3, 7 << 20), result(4, 10)));
    assertThat(sentIds()).containsExactly(List.of(1L, 2L), List.of(3L, 4L));
    assertThat(sent).allMatch(each -> each.executorId().equals("3") && each.incarnation() == 7);
  }

  @Test
  void whatNoMessageTakesFailsItsTaskAlone() {
    UpdateSender sender =
        new UpdateSender(
            updates -> {
              if (updates.updates().stream().anyMatch(update -> update.equals(tooLarge))) {
                throw new KilnException(
                    "MESSAGE_TOO_LARGE", KilnException.Kind.RESOURCES, "raise the limit");
              }
              sent.add(updates);
            });
    sender.accept(updates(result(1, 1), tooLarge, result(3, 1)));

    assertThat(sentIds()).containsExactly(List.of(1L), List.of(2L), List.of(3L));
    TaskFailure failure = ((Failed) sent.get(1).updates().getFirst()).failure();
    assertThat(failure.kind()).isEqualTo(TaskFailure.Kind.FATAL);
    assertThat(failure.message()).contains("raise the limit");
  }

  private final TaskUpdate tooLarge = result(2, 100);

  @Test
  void nothingIsLeftOut() {
    TaskUpdate[] many =
        IntStream.range(0, 100).mapToObj(i -> result(i, 1 << 20)).toArray(TaskUpdate[]::new);
    new UpdateSender(sent::add).accept(updates(many));
    assertThat(sentIds().stream().flatMap(List::stream))
        .containsExactlyElementsOf(IntStream.range(0, 100).mapToObj(Long::valueOf).toList());
    assertThat(sent).hasSizeBetween(12, 20);
  }

  /// A user's exception may do anything while it is serialised.
  private static final class Unserialisable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Serial
    private void writeObject(ObjectOutputStream out) {
      throw new NoClassDefFoundError("on purpose");
    }
  }

  @Test
  void anExceptionThatCannotTravelIsToldByItsText() {
    TaskFailure failure =
        new TaskFailure(
            TaskFailure.Kind.EXCEPTION,
            "Unserialisable",
            "why",
            "",
            Optional.of(new ExceptionPayload(new Unserialisable())));

    new UpdateSender(sent::add).accept(updates(new Failed(1, failure)));

    TaskFailure told = ((Failed) sent.getFirst().updates().getFirst()).failure();
    assertThat(told.message()).isEqualTo("why");
    assertThat(told.exception()).isEmpty();
  }
}
