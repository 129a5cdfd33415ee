package hadoop;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.RDD;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/// Reads and writes below a directory, and prints what came of it.
public class HdfsJobs {

  public static void main(String[] arguments) throws Exception {
    String root = arguments[1];
    try (KilnContext context = KilnContext.create(new KilnConf())) {
      switch (arguments[0]) {
        case "all" -> all(context, root);
        case "count" -> System.out.println(context.textFile(root).count());
        case "save" -> numbers(context).saveAsTextFile(root);
        case "save elsewhere" -> {
          Thread other = new Thread(() -> numbers(context).saveAsTextFile(root));
          other.setContextClassLoader(ClassLoader.getSystemClassLoader()); // as pools of threads do
          other.start();
          other.join();
        }
        default ->
            numbers(context)
                .map(
                    number -> {
                      if (number == 99) {
                        throw new IllegalStateException("the last one fails");
                      }
                      return number;
                    })
                .saveAsTextFile(root);
      }
    }
  }

  private static RDD<Integer> numbers(KilnContext context) {
    return context.parallelize(IntStream.range(0, 100).boxed().toList(), 4);
  }

  private static void all(KilnContext context, String root) throws Exception {
    RDD<Integer> numbers = numbers(context);
    numbers.saveAsTextFile(root + "/text");
    numbers.saveAsTextFile(root + "/packed", "gzip");
    numbers.saveAsObjectFile(root + "/objects");
    System.out.println("text " + sum(context.textFile(root + "/text", 8)));
    System.out.println("gzip " + sum(context.textFile(root + "/packed")));
    System.out.println("glob " + sum(context.textFile(root + "/{text,packed}/part-0000[0-1]*")));
    System.out.println("objects " + context.<Integer>objectFile(root + "/objects").count());
    System.out.println("whole " + context.wholeTextFiles(root + "/text").count());
    String first = context.binaryFiles(root + "/text").map(Pair::key).collect().getFirst();
    System.out.println("binary " + first.substring(first.indexOf("/text")));
    System.out.println("records " + records(context, root));
    context.setCheckpointDir(root + "/checkpoints");
    RDD<Integer> doubled = numbers.map(number -> 2 * number);
    doubled.checkpoint();
    doubled.count();
    System.out.println(
        "checkpoint " + doubled.isCheckpointed() + " " + doubled.reduce(Integer::sum));
    RDD<String> placed = context.textFile(root + "/text");
    System.out.println("places " + placed.preferredLocations(placed.partitions().getFirst()));
  }

  private static int sum(RDD<String> lines) {
    return lines.map(Integer::parseInt).reduce(Integer::sum);
  }

  private static List<String> records(KilnContext context, String root) {
    context.parallelize(List.of("abc", "def"), 1).saveAsTextFile(root + "/fixed");
    return context
        .binaryRecords(root + "/fixed", 4)
        .map(record -> new String(record, StandardCharsets.UTF_8).trim())
        .collect();
  }
}
