package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.Broadcast;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.KilnFiles;
import io.kiln.api.RDD;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
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
  void filesAreFoundByNameInTheDriverAndInTasks(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("words.txt"), "or not");
    Path folder = Files.createDirectory(directory.resolve("folder"));
    Path _ = Files.writeString(folder.resolve("inner.txt"), "to be");
    try (KilnContext context = Contexts.open("local[2]")) {
      context.addFile(file.toString());
      context.addFile(folder.toString(), true);
      assertThat(KilnFiles.get("words.txt")).hasContent("or not");
      List<String> seen =
          context
              .range(0, 2, 1, 2)
              .map(
                  _ ->
                      Files.readString(KilnFiles.get("words.txt"))
                          + Files.readString(KilnFiles.rootDirectory().resolve("folder/inner.txt")))
              .collect();
      assertThat(seen).containsExactly("or notto be", "or notto be");
      assertThatThrownBy(() -> KilnFiles.get("other.txt"))
          .isInstanceOf(KilnException.class)
          .hasMessageContaining("other.txt");
    }
  }

  @Test
  void tasksSeeTheClassesOfJarsAddedLater(@TempDir Path directory) throws Exception {
    Path jar = jarOfGreeter(directory);
    try (KilnContext context = Contexts.open("local[2]")) {
      RDD<String> greetings = context.range(0, 2, 1, 2).map(_ -> greet());
      assertThatThrownBy(greetings::count).hasMessageContaining("added.Greeter");
      context.addJar(jar.toString());
      assertThat(greetings.collect()).containsExactly("good day", "good day");
    }
  }

  private static String greet() throws ReflectiveOperationException {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return (String) Class.forName("added.Greeter", true, loader).getMethod("greet").invoke(null);
  }

  private static Path jarOfGreeter(Path directory) throws Exception {
    Path source =
        Files.writeString(
            directory.resolve("Greeter.java"),
            "package added; public class Greeter { public static String greet() { return \"good"
                + " day\"; } }");
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", directory.toString(), source.toString());
    assertThat(failed).isZero();
    Path jar = directory.resolve("greeter.jar");
    try (JarOutputStream entries = new JarOutputStream(Files.newOutputStream(jar))) {
      entries.putNextEntry(new JarEntry("added/Greeter.class"));
      long _ = Files.copy(directory.resolve("added/Greeter.class"), entries);
    }
    return jar;
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
