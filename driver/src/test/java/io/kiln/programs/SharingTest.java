package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.Broadcast;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.RDD;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What tasks, and the driver and its tasks, share and don't share.
@Timeout(60)
class SharingTest {

  @Test
  void eachTaskHasItsOwnCopyOfWhatAFunctionHolds() {
    try (KilnContext context = Contexts.open("local[2]")) {
      List<Integer> captured = new ArrayList<>();
      List<Integer> sizes =
          context.runJob(
              context.range(0, 8, 1, 8),
              (task, _) -> {
                captured.add(task.partitionId());
                return captured.size();
              });
      assertThat(sizes).containsOnly(1);
      assertThat(captured).isEmpty();
    }
  }

  @Test
  void changesToParallelizedRecordsStayInTheTask() {
    try (KilnContext context = Contexts.open("local[2]")) {
      int[] record = {1};
      RDD<Integer> rdd = context.parallelize(List.of(record), 1).map(array -> ++array[0]);
      assertThat(rdd.collect()).containsExactly(2);
      assertThat(rdd.collect()).containsExactly(2);
      assertThat(record[0]).isEqualTo(1);
    }
  }

  @Test
  void resultsAreNotTheTasksObjects() {
    try (KilnContext context = Contexts.open("local[1]")) {
      List<int[]> results =
          context.runJob(context.range(0, 3, 1, 3), (_, _) -> SharedArray.INSTANCE);
      results.getFirst()[0] = 42;
      assertThat(SharedArray.INSTANCE[0]).isZero();
      assertThat(results.get(1)[0]).isZero();
    }
  }

  private static final class SharedArray {
    @SuppressWarnings("MutablePublicArray") // what the test is about
    static final int[] INSTANCE = {0};
  }

  @Test
  void tasksReadACopyOfABroadcast() {
    try (KilnContext context = Contexts.open("local[2]")) {
      int[] value = {7};
      Broadcast<int[]> broadcast = context.broadcast(value);
      value[0] = 8;
      List<Integer> seen =
          context.runJob(context.range(0, 4, 1, 4), (_, _) -> broadcast.value()[0]);
      assertThat(seen).containsOnly(7);
      assertThat(broadcast.value()).isSameAs(value);
      broadcast.unpersist();
      assertThat(context.runJob(context.range(0, 1, 1, 1), (_, _) -> broadcast.value()[0]))
          .containsExactly(8);
    }
  }

  @Test
  void aDestroyedBroadcastSaysSo() {
    try (KilnContext context = Contexts.open("local[2]")) {
      Broadcast<List<String>> broadcast = context.broadcast(List.of("a"));
      broadcast.destroy();
      RDD<String> rdd = context.range(0, 1, 1, 1).map(_ -> broadcast.value().getFirst());
      assertThatThrownBy(rdd::count)
          .isInstanceOf(KilnException.class)
          .hasMessageContaining("was destroyed");
      assertThatThrownBy(broadcast::value)
          .isInstanceOfSatisfying(
              KilnException.class, e -> assertThat(e.code()).isEqualTo("BROADCAST_DESTROYED"));
    }
  }

  @Test
  void filesGivenToTheContextAreThereInTasksAndGoWithIt(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("words.txt"), "to be");
    String copy;
    try (KilnContext context = Contexts.open("local[2]")) {
      context.addFile(file.toString());
      context.addFile(file.toString());
      List<String> seen =
          context.runJob(
              context.range(0, 2, 1, 2),
              (task, _) -> Files.readString(task.runtime().filesDirectory().resolve("words.txt")));
      assertThat(seen).containsExactly("to be", "to be");
      copy = Path.of(context.engine().files().getFirst()).toString();
      assertThat(Path.of(copy)).exists();
    }
    assertThat(Path.of(copy).getParent()).doesNotExist();
  }
}
