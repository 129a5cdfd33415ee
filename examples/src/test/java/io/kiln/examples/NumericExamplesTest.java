package io.kiln.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The examples on numbers, against plain loops over the same points.
class NumericExamplesTest {

  @Test
  void pi() throws Exception {
    try (KilnContext context = ExampleRun.context("pi")) {
      assertThat(SparkPi.estimate(context, 5)).isCloseTo(Math.PI, within(0.02));
    }
    assertThat(ExampleRun.output(SparkPi::main, "3")).startsWith("Pi is roughly 3.1");
  }

  @Test
  void clusters() throws Exception {
    List<double[]> points = ExampleRun.lines("points.tsv").stream().map(KMeans::parse).toList();
    List<double[]> start = List.of(points.get(0), points.get(1), points.get(2));
    List<double[]> expected = start;
    for (int i = 0; i < 100; i++) {
      expected = meansOfNearest(points, expected);
    }
    try (KilnContext context = ExampleRun.context("clusters")) {
      RDD<double[]> input = context.textFile(ExampleData.path("points.tsv"), 3).map(KMeans::parse);
      List<double[]> centres = new ArrayList<>(KMeans.cluster(input, start));
      for (int i = 0; i < centres.size(); i++) {
        assertThat(centres.get(i)).containsExactly(expected.get(i), within(1e-4));
      }
      centres.sort(Comparator.comparingDouble(centre -> centre[0]));
      assertThat(centres.get(0)).containsExactly(new double[] {1, 1}, within(0.2));
      assertThat(centres.get(1)).containsExactly(new double[] {4, 8}, within(0.2));
      assertThat(centres.get(2)).containsExactly(new double[] {8, 2}, within(0.2));
    }
    assertThat(ExampleRun.output(KMeans::main).lines())
        .hasSize(3)
        .allMatch(line -> line.startsWith("centre ["));
  }

  @Test
  void weights() throws Exception {
    List<LogisticRegression.Point> points =
        ExampleRun.lines("labelled-points.tsv").stream().map(LogisticRegression::parse).toList();
    double[] expected = new double[5];
    for (int iteration = 0; iteration < 20; iteration++) {
      double[] step = new double[5];
      for (LogisticRegression.Point point : points) {
        double sum = 0;
        for (int i = 0; i < 5; i++) {
          sum += expected[i] * point.features()[i];
        }
        double error = 1 / (1 + Math.exp(-sum)) - point.label();
        for (int i = 0; i < 5; i++) {
          step[i] += error * point.features()[i] * 0.5 / points.size();
        }
      }
      for (int i = 0; i < 5; i++) {
        expected[i] -= step[i];
      }
    }
    try (KilnContext context = ExampleRun.context("weights")) {
      RDD<LogisticRegression.Point> input =
          context
              .textFile(ExampleData.path("labelled-points.tsv"), 4)
              .map(LogisticRegression::parse);
      assertThat(LogisticRegression.learn(input, 20)).containsExactly(expected, within(1e-9));
    }
    assertThat(ExampleRun.output(LogisticRegression::main))
        .containsPattern("Right for 8\\d\\.\\d%");
  }

  private static List<double[]> meansOfNearest(List<double[]> points, List<double[]> centres) {
    List<double[]> means = new ArrayList<>();
    for (int cluster = 0; cluster < centres.size(); cluster++) {
      int wanted = cluster;
      List<double[]> own =
          points.stream().filter(point -> KMeans.nearest(point, centres) == wanted).toList();
      means.add(
          new double[] {
            own.stream().mapToDouble(point -> point[0]).average().orElseThrow(),
            own.stream().mapToDouble(point -> point[1]).average().orElseThrow()
          });
    }
    return means;
  }
}
