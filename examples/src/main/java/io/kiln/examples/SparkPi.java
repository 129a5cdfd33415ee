package io.kiln.examples;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import java.util.concurrent.ThreadLocalRandom;

/// Estimates pi by throwing darts at a square and counting those that hit the circle in it.
///
/// Usage: `SparkPi [slices]`, 2 by default; 100,000 darts a slice.
public final class SparkPi {
  private static final long DARTS_PER_SLICE = 100_000;

  private SparkPi() {}

  public static void main(String[] args) {
    int slices = args.length > 0 ? Integer.parseInt(args[0]) : 2;
    KilnConf conf = new KilnConf().setAppName("Spark Pi").setIfMissing("spark.master", "local[*]");
    try (KilnContext context = KilnContext.create(conf)) {
      System.out.println("Pi is roughly " + estimate(context, slices));
    }
  }

  static double estimate(KilnContext context, int slices) {
    long darts = DARTS_PER_SLICE * slices;
    long hits = context.range(0, darts, 1, slices).filter(_ -> hitsCircle()).count();
    return 4.0 * hits / darts;
  }

  private static boolean hitsCircle() {
    double x = ThreadLocalRandom.current().nextDouble() * 2 - 1;
    double y = ThreadLocalRandom.current().nextDouble() * 2 - 1;
    return x * x + y * y <= 1;
  }
}
