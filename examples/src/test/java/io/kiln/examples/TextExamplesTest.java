package io.kiln.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The examples on text, against plain loops over the same lines.
class TextExamplesTest {

  @Test
  void wordCountOfTheBible() throws Exception {
    Map<String, Long> expected = new TreeMap<>();
    for (String line : ExampleRun.lines("kjv.txt")) {
      wordsOf(line).forEach(word -> expected.merge(word, 1L, Long::sum));
    }
    try (KilnContext context = ExampleRun.context("words")) {
      PairRDD<String, Long> counts =
          WordCount.countWords(context.textFile(ExampleData.path("kjv.txt"), 5));
      assertThat(counts.collectAsMap()).isEqualTo(expected);
      assertThat(WordCount.mostCommon(counts, 5))
          .extracting(Pair::key)
          .containsExactly("the", "and", "of", "to", "that");
    }
  }

  @Test
  void wordCountPrintsTheMostCommonFirst() throws Exception {
    String output = ExampleRun.output(WordCount::main);
    assertThat(output.lines().findFirst().orElseThrow()).matches("the +63,9\\d\\d");
    assertThat(output.lines()).hasSize(21);
    assertThat(output.lines().toList().getLast())
        .matches("[\\d,]+ words, [\\d,]+ of them different");
  }

  @Test
  void indexOfTheBible() throws Exception {
    Map<String, List<String>> expected = new TreeMap<>();
    for (String line : ExampleRun.lines("kjv.txt")) {
      String place = line.substring(0, line.indexOf(' '));
      wordsOf(line.substring(place.length())).stream()
          .distinct()
          .forEach(word -> expected.computeIfAbsent(word, _ -> new ArrayList<>()).add(place));
    }
    try (KilnContext context = ExampleRun.context("index")) {
      PairRDD<String, List<String>> index =
          InvertedIndex.index(context.textFile(ExampleData.path("kjv.txt"), 3));
      assertThat(index.collectAsMap()).isEqualTo(expected);
    }
    assertThat(ExampleRun.output(InvertedIndex::main, ExampleData.path("kjv.txt"), "manna", "zzz"))
        .contains("manna: Exo16:15 ")
        .contains("zzz: nowhere");
  }

  @Test
  void trafficOfTheShop() throws Exception {
    Map<Integer, Long> bytesByStatus = new TreeMap<>();
    Map<String, Long> countsByRequest = new TreeMap<>();
    int understood = 0;
    for (String line : ExampleRun.lines("access.log")) {
      String[] quoted = line.split("\"");
      if (quoted.length == 6) {
        understood++;
        String[] answer = quoted[2].strip().split(" ");
        String[] client = quoted[0].split(" ");
        String query = quoted[1].substring(0, quoted[1].lastIndexOf(' '));
        long bytes = answer[1].equals("-") ? 0 : Long.parseLong(answer[1]);
        bytesByStatus.merge(Integer.valueOf(answer[0]), bytes, Long::sum);
        countsByRequest.merge(String.join(" ", client[0], client[2], query), 1L, Long::sum);
      }
    }
    try (KilnContext context = ExampleRun.context("log")) {
      RDD<LogQuery.Access> accesses =
          context.textFile(ExampleData.path("access.log"), 4).flatMap(LogQuery::parse);
      assertThat(accesses.count()).isEqualTo(understood).isGreaterThan(4900).isLessThan(5000);
      assertThat(LogQuery.byStatus(accesses).mapValues(LogQuery.Traffic::bytes).collectAsMap())
          .isEqualTo(bytesByStatus);
      Map<String, Long> counts = new TreeMap<>();
      LogQuery.byRequest(accesses)
          .collect()
          .forEach(
              r ->
                  counts.put(
                      String.join(" ", r.key().ip(), r.key().user(), r.key().query()),
                      r.value().count()));
      assertThat(counts).isEqualTo(countsByRequest);
    }
    assertThat(ExampleRun.output(LogQuery::main))
        .contains(String.format("%,d accesses, %,d other lines", understood, 5000 - understood));
  }

  @Test
  void aMissingInputIsOneClearLine() {
    assertThatThrownBy(() -> ExampleRun.output(WordCount::main, "no/such/file"))
        .isInstanceOf(KilnException.class)
        .hasMessageContaining(Path.of("no/such/file").toAbsolutePath().toString());
    assertThatThrownBy(() -> ExampleData.path("no-such-data.txt"))
        .isInstanceOf(KilnException.class)
        .hasMessageContaining("no-such-data.txt");
  }

  private static List<String> wordsOf(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    Iterator<Integer> characters =
        (line.toLowerCase(Locale.ROOT) + " ").codePoints().boxed().iterator();
    while (characters.hasNext()) {
      int character = characters.next();
      if (Character.isLetter(character)) {
        word.appendCodePoint(character);
      } else if (!word.isEmpty()) {
        words.add(word.toString());
        word.setLength(0);
      }
    }
    return words;
  }
}
