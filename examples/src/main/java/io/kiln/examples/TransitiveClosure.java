package io.kiln.examples;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import java.util.Comparator;
import java.util.Map;

/// Finds all pairs of nodes of a graph between which there is a path, by joining the paths found so
/// far with the edges until no more are found.
///
/// Usage: `TransitiveClosure [path]`; lines of `from TAB to`, what the Debian package git needs by
/// default.
public final class TransitiveClosure {

  private TransitiveClosure() {}

  public static void main(String[] args) {
    String path = args.length > 0 ? args[0] : ExampleData.path("git-depends.tsv");
    KilnConf conf =
        new KilnConf().setAppName("TransitiveClosure").setIfMissing("spark.master", "local[*]");
    try (KilnContext context = KilnContext.create(conf)) {
      PairRDD<String, String> paths = close(context.textFile(path));
      paths.countByKey().entrySet().stream()
          .sorted(
              Comparator.comparing((Map.Entry<String, Long> node) -> -node.getValue())
                  .thenComparing(Map.Entry::getKey))
          .limit(20)
          .forEach(node -> System.out.printf("%-24s needs %,d%n", node.getKey(), node.getValue()));
      System.out.printf("%,d paths in all%n", paths.count());
    }
  }

  static PairRDD<String, String> close(RDD<String> lines) {
    PairRDD<String, String> edges = lines.mapToPair(PageRank::edge).distinct().cache();
    PairRDD<String, String> edgesByEnd =
        edges.mapToPair(edge -> Pair.of(edge.value(), edge.key())).cache();
    PairRDD<String, String> paths = edges;
    long before;
    long count = paths.count();
    do {
      before = count;
      PairRDD<String, String> longer =
          paths
              .join(edgesByEnd)
              .mapToPair(joint -> Pair.of(joint.value().value(), joint.value().key()));
      paths = paths.union(longer).distinct(edges.numPartitions()).cache();
      count = paths.count();
    } while (count != before);
    return paths;
  }
}
