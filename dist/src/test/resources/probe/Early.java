package probe;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import java.util.concurrent.CountDownLatch;

/// An application whose main method ends before its work does.
public class Early {
  private static final CountDownLatch RUNNING = new CountDownLatch(1);

  @SuppressWarnings("resource") // that is the point
  public static void main(String[] arguments) throws Exception {
    KilnContext context = KilnContext.create(new KilnConf().setAppName("early"));
    switch (arguments[0]) {
      case "thread" -> new Thread(() -> twoJobs(context), "saver").start();
      case "future" -> context.range(0, 1, 1, 1).foreachAsync(_ -> readThenPrint());
      case "close" -> {
        new Thread(() -> context.range(0, 1, 1, 1).foreach(_ -> runForEver()), "saver").start();
        RUNNING.await();
        context.close();
      }
      case "exit" -> {
        new Thread(() -> context.range(0, 1, 1, 1).foreach(_ -> runForEver()), "saver").start();
        RUNNING.await();
        System.exit(0);
      }
      case "exitInTask" -> {
        context.range(0, 1, 1, 1).foreach(_ -> System.exit(7));
      }
      case "cancel" -> {
        context.range(0, 1, 1, 1).foreachAsync(_ -> runForEver());
        RUNNING.await();
        context.cancelAllJobs();
        context.close();
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void twoJobs(KilnContext context) {
    long first = context.range(0, 10, 1, 2).count();
    System.out.println("half");
    read();
    System.out.println("saved " + (first + context.range(0, 20, 1, 2).count()));
  }

  private static void readThenPrint() {
    System.out.println("half");
    read();
    System.out.println("saved 30");
  }

  private static void read() {
    try {
      System.in.read();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void runForEver() throws InterruptedException {
    RUNNING.countDown();
    new CountDownLatch(1).await();
  }
}
