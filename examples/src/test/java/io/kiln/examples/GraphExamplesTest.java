package io.kiln.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The examples on graphs, against plain loops over the same edges.
class GraphExamplesTest {

  @Test
  void ranksOfDebianPackages() throws Exception {
    int iterations = 3;
    Map<String, Set<String>> links = links("debian-depends.tsv");
    Map<String, Double> expected = new HashMap<>();
    links.keySet().forEach(node -> expected.put(node, 1.0));
    for (int i = 0; i < iterations; i++) {
      Map<String, Double> sums = new HashMap<>();
      links.forEach(
          (from, targets) ->
              targets.forEach(
                  to -> sums.merge(to, expected.get(from) / targets.size(), Double::sum)));
      expected.replaceAll((node, _) -> 0.15 + 0.85 * sums.getOrDefault(node, 0.0));
    }
    try (KilnContext context = ExampleRun.context("ranks")) {
      Map<String, Double> ranks =
          PageRank.rank(context.textFile(ExampleData.path("debian-depends.tsv"), 4), iterations)
              .collectAsMap();
      assertThat(ranks.keySet()).isEqualTo(expected.keySet());
      ranks.forEach(
          (node, rank) ->
              assertThat(rank).as(node).isCloseTo(expected.get(node), within(1e-6 * rank)));
    }
  }

  @Test
  void everythingNeedsLibc() throws Exception {
    String output = ExampleRun.output(PageRank::main);
    assertThat(output.lines()).hasSize(20);
    assertThat(output.lines().findFirst().orElseThrow()).startsWith("libc6 ");
  }

  @Test
  void whatGitNeeds() throws Exception {
    Map<String, Set<String>> links = links("git-depends.tsv");
    Set<Pair<String, String>> expected = new HashSet<>();
    for (String from : links.keySet()) {
      Deque<String> open = new ArrayDeque<>(links.get(from));
      while (!open.isEmpty()) {
        String to = open.pop();
        if (expected.add(Pair.of(from, to))) {
          open.addAll(links.get(to));
        }
      }
    }
    try (KilnContext context = ExampleRun.context("closure")) {
      assertThat(
              TransitiveClosure.close(context.textFile(ExampleData.path("git-depends.tsv")))
                  .collect())
          .hasSameSizeAs(expected)
          .containsAll(expected);
    }
    assertThat(ExampleRun.output(TransitiveClosure::main))
        .contains(String.format("%,d paths in all", expected.size()))
        .containsPattern("git +needs 43");
  }

  private static Map<String, Set<String>> links(String data) throws IOException {
    Map<String, Set<String>> links = new TreeMap<>();
    for (String line : ExampleRun.lines(data)) {
      String[] edge = line.split("\t");
      links.computeIfAbsent(edge[0], _ -> new TreeSet<>()).add(edge[1]);
      links.computeIfAbsent(edge[1], _ -> new TreeSet<>());
    }
    return links;
  }
}
