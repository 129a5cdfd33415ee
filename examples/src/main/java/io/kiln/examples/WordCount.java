package io.kiln.examples;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Counts the words of a text and prints the most common.
///
/// Usage: `WordCount [path]`, the King James Bible by default.
public final class WordCount {
  private static final Pattern WORD = Pattern.compile("\\p{L}+");
  private static final int SHOWN = 20;

  private WordCount() {}

  public static void main(String[] args) {
    String path = args.length > 0 ? args[0] : ExampleData.path("kjv.txt");
    KilnConf conf = new KilnConf().setAppName("WordCount").setIfMissing("spark.master", "local[*]");
    try (KilnContext context = KilnContext.create(conf)) {
      PairRDD<String, Long> counts = countWords(context.textFile(path)).cache();
      for (Pair<String, Long> count : mostCommon(counts, SHOWN)) {
        System.out.printf("%-12s %,9d%n", count.key(), count.value());
      }
      long words = counts.values().fold(0L, Long::sum);
      System.out.printf("%,d words, %,d of them different%n", words, counts.count());
    }
  }

  static PairRDD<String, Long> countWords(RDD<String> lines) {
    return lines
        .flatMap(WordCount::words)
        .mapToPair(word -> Pair.of(word, 1L))
        .reduceByKey(Long::sum);
  }

  static Iterator<String> words(String line) {
    return WORD.matcher(line.toLowerCase(Locale.ROOT)).results().map(MatchResult::group).iterator();
  }

  static List<Pair<String, Long>> mostCommon(PairRDD<String, Long> counts, int howMany) {
    return counts.takeOrdered(howMany, WordCount::mostCommonFirst);
  }

  private static int mostCommonFirst(Pair<String, Long> left, Pair<String, Long> right) {
    int byCount = Long.compare(right.value(), left.value());
    return byCount != 0 ? byCount : left.key().compareTo(right.key());
  }
}
