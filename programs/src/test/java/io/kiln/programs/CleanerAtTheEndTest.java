package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnContext;
import io.kiln.api.TaskContext;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What the cleaner asks others to remove, it asks while they are there.
@Timeout(60)
class CleanerAtTheEndTest {
  private static final CountDownLatch RUNNING = new CountDownLatch(1);
  private static final CompletableFuture<Set<Thread>> CLEANERS = new CompletableFuture<>();

  @Test
  void theCleanerEndsBeforeTheTasksAndWhatRunsThem() throws Exception {
    Set<Thread> ofOthers = cleaners();
    Set<Thread> own;
    try (KilnContext context = Contexts.open("local[1]")) {
      assertThat(context.broadcast(List.of(1)).value()).hasSize(1); // the cleaner watches it
      own = cleaners();
      own.removeAll(ofOthers);
      var _ = context.range(0, 1, 1, 1).foreachAsync(_ -> untilKilled());
      RUNNING.await();
    }
    assertThat(own).isNotEmpty();
    assertThat(CLEANERS.join()).doesNotContainAnyElementsOf(own);
  }

  private static void untilKilled() {
    RUNNING.countDown();
    while (!TaskContext.current().orElseThrow().isInterrupted()) {
      Thread.onSpinWait();
    }
    CLEANERS.complete(cleaners());
  }

  private static Set<Thread> cleaners() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("kiln-cleaner"))
        .collect(Collectors.toSet());
  }
}
