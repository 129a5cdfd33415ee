package io.kiln.examples;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Makes the index at the end of a book: for each word, where it is found.
///
/// Usage: `InvertedIndex [path [word …]]`; a line is the name of a place, a blank and its text; the
/// King James Bible by default, and the words behemoth, leviathan and unicorn.
public final class InvertedIndex {

  private InvertedIndex() {}

  public static void main(String[] args) {
    String path = args.length > 0 ? args[0] : ExampleData.path("kjv.txt");
    List<String> wanted =
        args.length > 1
            ? Arrays.asList(args).subList(1, args.length)
            : List.of("behemoth", "leviathan", "unicorn");
    KilnConf conf =
        new KilnConf().setAppName("InvertedIndex").setIfMissing("spark.master", "local[*]");
    try (KilnContext context = KilnContext.create(conf)) {
      PairRDD<String, List<String>> index = index(context.textFile(path)).cache();
      System.out.printf("%,d words in the index%n", index.count());
      for (String word : wanted) {
        List<List<String>> places = index.lookup(word);
        System.out.println(
            word + ": " + (places.isEmpty() ? "nowhere" : String.join(" ", places.getFirst())));
      }
    }
  }

  static PairRDD<String, List<String>> index(RDD<String> lines) {
    return lines
        .zipWithIndex()
        .flatMapToPair(line -> wordsWithLine(line.key(), line.value()))
        .groupByKey()
        .mapValues(InvertedIndex::placesInOrder);
  }

  private static Iterator<Pair<String, Pair<Long, String>>> wordsWithLine(
      String line, long number) {
    int blank = line.indexOf(' ');
    String place = blank < 0 ? line : line.substring(0, blank);
    Iterable<String> words = () -> WordCount.words(line.substring(place.length()));
    Stream<String> different = StreamSupport.stream(words.spliterator(), false).distinct();
    return different.map(word -> Pair.of(word, Pair.of(number, place))).iterator();
  }

  private static List<String> placesInOrder(Iterable<Pair<Long, String>> places) {
    return StreamSupport.stream(places.spliterator(), false)
        .sorted((left, right) -> Long.compare(left.key(), right.key()))
        .map(Pair::value)
        .toList();
  }
}
