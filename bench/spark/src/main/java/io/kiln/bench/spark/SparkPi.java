package io.kiln.bench.spark;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/// Estimates Pi from random points: `SparkPi [slices]`. Measured from start to exit.
public final class SparkPi {
  private static final int POINTS_PER_SLICE = 100_000;

  private SparkPi() {}

  public static void main(String[] words) {
    int slices = words.length > 0 ? Integer.parseInt(words[0]) : 2;
    int points = POINTS_PER_SLICE * slices;
    try (JavaSparkContext context = new JavaSparkContext(new SparkConf().setAppName("Pi"))) {
      int inside =
          context
              .parallelize(IntStream.range(0, points).boxed().toList(), slices)
              .map(point -> isInside() ? 1 : 0)
              .reduce(Integer::sum);
      System.out.println("Pi is roughly " + 4.0 * inside / points);
    }
  }

  private static boolean isInside() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    double x = random.nextDouble() * 2 - 1;
    double y = random.nextDouble() * 2 - 1;
    return x * x + y * y <= 1;
  }
}
