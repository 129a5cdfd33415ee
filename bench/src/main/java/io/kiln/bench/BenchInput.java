package io.kiln.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// Makes the text of the word count: a real text, over and over, in which near half of the
/// words take a suffix, so that there are as many distinct words as asked for and they stay
/// as uneven as a language's words are. The same text and size always give the same bytes.
///
/// `BenchInput TEXT OUTPUT [BYTES]`
public final class BenchInput {
  /// 144 MB, the size of the word count in the table of measurements.
  private static final long DEFAULT_BYTES = 144_000_000;

  private static final int DISTINCT_WORDS = 187_691;
  private static final String[] SUFFIXES = {"ness", "like", "ward"};

  /// Of a hundred words, how many ask for a suffix; the mean word then has seven bytes.
  private static final int SUFFIXED_PERCENT = 45;

  private static final long SEED = 1611;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final List<String[]> verses = new ArrayList<>();
  private final Set<String> vocabulary = new HashSet<>();

  private BenchInput(Path text) throws IOException {
    for (String line : Files.readAllLines(text, StandardCharsets.UTF_8)) {
      String[] words = line.split(" ", -1);
      verses.add(words);
      vocabulary.addAll(List.of(words));
    }
    if (verses.isEmpty()) {
      throw new IOException("'" + text + "' has no lines; give a text file");
    }
  }

  public static void main(String[] words) throws IOException {
    if (words.length < 2 || words.length > 3) {
      throw new IllegalArgumentException("usage: BenchInput TEXT OUTPUT [BYTES]");
    }
    long sizeBytes = words.length == 3 ? Long.parseLong(words[2]) : DEFAULT_BYTES;
    BenchInput input = new BenchInput(Path.of(words[0]));
    input.write(Path.of(words[1]), sizeBytes);
    System.out.println(words[1] + ": " + input.vocabulary.size() + " distinct words at most");
  }

  /// Writes whole lines until there are `sizeBytes`; the file appears when it is complete.
  private void write(Path output, long sizeBytes) throws IOException {
    Path unfinished = output.resolveSibling(output.getFileName() + ".part");
    try (BufferedWriter writer = Files.newBufferedWriter(unfinished, StandardCharsets.UTF_8)) {
      long written = 0;
      for (int next = 0; written < sizeBytes; next = (next + 1) % verses.size()) {
        String line = perturbed(verses.get(next));
        writer.write(line);
        writer.write('\n');
        written += line.length() + 1;
      }
    }
    Files.move(unfinished, output, StandardCopyOption.REPLACE_EXISTING);
  }

  private String perturbed(String[] words) {
    StringBuilder line = new StringBuilder();
    for (String word : words) {
      if (!line.isEmpty()) {
        line.append(' ');
      }
      line.append(random.nextInt(100) < SUFFIXED_PERCENT ? suffixed(word) : word);
    }
    return line.toString();
  }

  /// The word with a suffix, or the word itself when that would be one distinct word too
  /// many.
  private String suffixed(String word) {
    String longer = word + SUFFIXES[random.nextInt(SUFFIXES.length)];
    boolean known = vocabulary.contains(longer);
    if (!known && vocabulary.size() < DISTINCT_WORDS) {
      vocabulary.add(longer);
      known = true;
    }
    return known ? longer : word;
  }
}
