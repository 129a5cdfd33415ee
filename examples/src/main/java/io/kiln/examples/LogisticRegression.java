package io.kiln.examples;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import java.io.Serializable;
import java.util.Arrays;

/// Learns to tell two kinds of points apart, by gradient descent: each iteration is one job over
/// the cached points.
///
/// Usage: `LogisticRegression [path [iterations]]`; lines of a label, 0 or 1, and features between
/// TABs; 3,000 points by default; 100 iterations.
public final class LogisticRegression {
  private static final double STEP = 0.5;

  /// A point; its first feature is 1, for the bias.
  record Point(double label, double[] features) implements Serializable {}

  private LogisticRegression() {}

  public static void main(String[] args) {
    String path = args.length > 0 ? args[0] : ExampleData.path("labelled-points.tsv");
    int iterations = args.length > 1 ? Integer.parseInt(args[1]) : 100;
    KilnConf conf =
        new KilnConf().setAppName("LogisticRegression").setIfMissing("spark.master", "local[*]");
    try (KilnContext context = KilnContext.create(conf)) {
      RDD<Point> points = context.textFile(path).map(LogisticRegression::parse).cache();
      double[] weights = learn(points, iterations);
      long right = points.filter(point -> isRight(point, weights)).count();
      System.out.println("Weights: " + Arrays.toString(weights));
      System.out.printf("Right for %.1f%% of the points%n", 100.0 * right / points.count());
    }
  }

  static double[] learn(RDD<Point> points, int iterations) {
    long count = points.count();
    double[] weights = new double[points.first().features().length];
    for (int i = 0; i < iterations; i++) {
      double[] current = weights;
      double[] gradient =
          points.map(point -> gradient(point, current)).reduce(LogisticRegression::plus);
      weights = plus(current, times(gradient, -STEP / count));
    }
    return weights;
  }

  static Point parse(String line) {
    double[] columns = Arrays.stream(line.split("\t")).mapToDouble(Double::parseDouble).toArray();
    double[] features = columns.clone();
    features[0] = 1;
    return new Point(columns[0], features);
  }

  static double[] gradient(Point point, double[] weights) {
    return times(point.features(), probability(point.features(), weights) - point.label());
  }

  static boolean isRight(Point point, double[] weights) {
    return probability(point.features(), weights) > 0.5 == point.label() > 0.5;
  }

  private static double probability(double[] features, double[] weights) {
    double sum = 0;
    for (int i = 0; i < features.length; i++) {
      sum += features[i] * weights[i];
    }
    return 1 / (1 + Math.exp(-sum));
  }

  private static double[] plus(double[] left, double[] right) {
    double[] sum = left.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += right[i];
    }
    return sum;
  }

  private static double[] times(double[] vector, double factor) {
    return Arrays.stream(vector).map(value -> value * factor).toArray();
  }
}
