package probe;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnFiles;
import io.kiln.api.StorageLevel;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/// An application that runs jobs: does what its first argument says.
public class Jobs {

  public static void main(String[] arguments) throws Exception {
    try (KilnContext context = KilnContext.create(new KilnConf().setAppName("jobs"))) {
      switch (arguments[0]) {
        case "sum" -> System.out.println(context.range(0, 1000).reduce(Long::sum));
        case "exit" -> {
          context.range(0, 10).count();
          System.exit(Integer.parseInt(arguments[1]));
        }
        case "fail" -> failingJob(context);
        case "read" -> context.textFile(arguments[1]).count();
        case "write" -> context.range(0, 10).saveAsTextFile(arguments[1]);
        case "files" -> {
          System.out.println("driver " + note());
          System.out.println("tasks " + context.range(0, 2).map(_ -> note()).distinct().collect());
        }
        case "own" -> OwnClasses.use(context);
        case "level" -> {
          LoggerFactory.getLogger("probe").info("not seen");
          context.setLogLevel("info");
          LoggerFactory.getLogger("probe").info("seen");
        }
        case "jars" -> System.out.println(context.listJars());
        case "hold" -> hold(context, arguments[1]);
        case "twice" -> {
          System.out.println(remainders(context));
          System.in.read();
          System.out.println(remainders(context));
        }
        case "look" -> {
          System.out.println(Surroundings.see());
          context
              .range(0, 1, 1, 1)
              .map(_ -> Surroundings.see())
              .collect()
              .forEach(System.out::println);
          context.range(0, 1, 1, 1).pipe("env").collect().forEach(System.out::println);
        }
        case "slow" -> context.range(0, 4, 1, 4).foreach(_ -> Thread.sleep(700));
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }
  }

  private static void failingJob(KilnContext context) {
    context
        .parallelize(List.of(1, 2, 3), 3)
        .map(number -> 10 / (number - 2)) // line 52
        .count(); // line 53
  }

  private static long remainders(KilnContext context) {
    return context.range(0, 100, 1, 4).keyBy(number -> number % 3).groupByKey().count();
  }

  private static String note() throws Exception {
    return Files.readString(KilnFiles.get("note.txt")).strip();
  }

  /// Leaves something in every scratch directory, then waits in a task.
  private static void hold(KilnContext context, String file) {
    context.addFile(file);
    context
        .range(0, 100)
        .keyBy(number -> number % 3)
        .groupByKey()
        .persist(StorageLevel.DISK_ONLY)
        .count();
    System.out.println("ready");
    context.range(0, 1).foreach(_ -> new CountDownLatch(1).await());
  }
}
