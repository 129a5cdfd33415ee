package io.kiln.examples;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// Ranks the nodes of a graph: a node is as important as those that point to it. On the
/// dependencies of packages, it finds what everything else needs.
///
/// Usage: `PageRank [path [iterations]]`; lines of `from TAB to`, the packages of Debian by
/// default;
/// 10 iterations.
public final class PageRank {
  private static final double DAMPING = 0.85;
  private static final int SHOWN = 20;

  private PageRank() {}

  public static void main(String[] args) {
    String path = args.length > 0 ? args[0] : ExampleData.path("debian-depends.tsv");
    int iterations = args.length > 1 ? Integer.parseInt(args[1]) : 10;
    KilnConf conf = new KilnConf().setAppName("PageRank").setIfMissing("spark.master", "local[*]");
    try (KilnContext context = KilnContext.create(conf)) {
      PairRDD<String, Double> ranks = rank(context.textFile(path), iterations);
      for (Pair<String, Double> rank : ranks.takeOrdered(SHOWN, PageRank::highestFirst)) {
        System.out.printf("%-24s %10.2f%n", rank.key(), rank.value());
      }
    }
  }

  static PairRDD<String, Double> rank(RDD<String> lines, int iterations) {
    PairRDD<String, String> edges = lines.mapToPair(PageRank::edge).distinct();
    PairRDD<String, Boolean> targets = edges.values().distinct().mapToPair(to -> Pair.of(to, true));
    PairRDD<String, List<String>> links =
        edges
            .groupByKey()
            .fullOuterJoin(targets)
            .mapValues(node -> node.key().map(PageRank::listOf).orElse(List.of()))
            .cache();
    PairRDD<String, Double> ranks = links.mapValues(_ -> 1.0);
    for (int i = 0; i < iterations; i++) {
      ranks =
          links
              .join(ranks)
              .flatMapToPair(node -> contributions(node.key(), node.value()))
              .reduceByKey(Double::sum)
              .mapValues(sum -> 1 - DAMPING + DAMPING * sum);
    }
    return ranks;
  }

  static Pair<String, String> edge(String line) {
    int tab = line.indexOf('\t');
    if (tab < 0) {
      throw new IllegalArgumentException("no TAB between two nodes in the line: " + line);
    }
    return Pair.of(line.substring(0, tab), line.substring(tab + 1));
  }

  private static Iterator<Pair<String, Double>> contributions(
      String node, Pair<List<String>, Double> linksAndRank) {
    List<String> links = linksAndRank.key();
    List<Pair<String, Double>> contributions = new ArrayList<>(links.size() + 1);
    contributions.add(Pair.of(node, 0.0));
    for (String link : links) {
      contributions.add(Pair.of(link, linksAndRank.value() / links.size()));
    }
    return contributions.iterator();
  }

  private static List<String> listOf(Iterable<String> links) {
    List<String> list = new ArrayList<>();
    links.forEach(list::add);
    return list;
  }

  private static int highestFirst(Pair<String, Double> left, Pair<String, Double> right) {
    return Double.compare(right.value(), left.value());
  }
}
