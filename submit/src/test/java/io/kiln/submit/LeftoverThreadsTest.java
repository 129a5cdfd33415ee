package io.kiln.submit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeftoverThreadsTest {
  private final CountDownLatch end = new CountDownLatch(1);

  /// As Netty's, which are of a class of its own.
  private static final class LibraryThread extends Thread {
    LibraryThread(Runnable work, String name) {
      super(work, name);
    }
  }

  @AfterEach
  void endThreads() {
    end.countDown();
  }

  @Test
  void theProgramsThreadsAreNamedAndThoseOfTheEnginesLibrariesAreNot() {
    start(new LibraryThread(this::awaitEnd, "library's"));
    start(new Thread(this::awaitEnd, "program's"));

    assertThat(warning()).contains("program's").doesNotContain("library's");
  }

  private static void start(Thread thread) {
    thread.setDaemon(false);
    thread.start();
  }

  private void awaitEnd() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String warning() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LeftoverThreads.warn(new PrintStream(out, true, UTF_8), "a=b");
    return out.toString(UTF_8);
  }
}
