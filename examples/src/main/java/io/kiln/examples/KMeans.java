package io.kiln.examples;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.RDD;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Finds clusters of points: assigns each point to the nearest centre, moves each centre to the
/// mean of its points, and again until the centres stand still.
///
/// Usage: `KMeans [path [clusters]]`; lines of coordinates between TABs, 1,500 points around 3
/// centres by default.
public final class KMeans {
  private static final double STILL = 1e-9;
  private static final long SEED = 42;

  /// The sum of points.
  record Sum(double[] coordinates, long count) implements Serializable {
    Sum plus(Sum other) {
      double[] sum = coordinates.clone();
      for (int i = 0; i < sum.length; i++) {
        sum[i] += other.coordinates[i];
      }
      return new Sum(sum, count + other.count);
    }

    double[] mean() {
      return Arrays.stream(coordinates).map(coordinate -> coordinate / count).toArray();
    }
  }

  private KMeans() {}

  public static void main(String[] args) {
    String path = args.length > 0 ? args[0] : ExampleData.path("points.tsv");
    int clusters = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    KilnConf conf = new KilnConf().setAppName("KMeans").setIfMissing("spark.master", "local[*]");
    try (KilnContext context = KilnContext.create(conf)) {
      RDD<double[]> points = context.textFile(path).map(KMeans::parse).cache();
      List<double[]> centres = cluster(points, points.takeSample(false, clusters, SEED));
      Map<Integer, Long> sizes = points.map(point -> nearest(point, centres)).countByValue();
      for (int i = 0; i < centres.size(); i++) {
        System.out.printf(
            "centre %s of %,d points%n",
            Arrays.toString(centres.get(i)), sizes.getOrDefault(i, 0L));
      }
    }
  }

  static List<double[]> cluster(RDD<double[]> points, List<double[]> start) {
    List<double[]> centres = start;
    double moved;
    do {
      List<double[]> current = List.copyOf(centres);
      Map<Integer, Sum> sums =
          points
              .mapToPair(point -> Pair.of(nearest(point, current), new Sum(point, 1)))
              .reduceByKey(Sum::plus)
              .collectAsMap();
      List<double[]> means = new ArrayList<>(current);
      sums.forEach((cluster, sum) -> means.set(cluster, sum.mean()));
      moved = 0;
      for (int i = 0; i < means.size(); i++) {
        moved += squaredDistance(means.get(i), current.get(i));
      }
      centres = means;
    } while (moved > STILL);
    return List.copyOf(centres);
  }

  static double[] parse(String line) {
    return Arrays.stream(line.split("\t")).mapToDouble(Double::parseDouble).toArray();
  }

  static int nearest(double[] point, List<double[]> centres) {
    int nearest = 0;
    for (int i = 1; i < centres.size(); i++) {
      if (squaredDistance(point, centres.get(i)) < squaredDistance(point, centres.get(nearest))) {
        nearest = i;
      }
    }
    return nearest;
  }

  private static double squaredDistance(double[] left, double[] right) {
    double sum = 0;
    for (int i = 0; i < left.length; i++) {
      sum += (left[i] - right[i]) * (left[i] - right[i]);
    }
    return sum;
  }
}
