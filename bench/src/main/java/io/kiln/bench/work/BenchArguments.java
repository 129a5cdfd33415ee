package io.kiln.bench.work;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;

/// The arguments of a benchmark program, the same for each engine.
///
/// @param master master URL, as `local[2]`
/// @param warmups repetitions before the measured ones
/// @param size records, tasks or jobs, as the workload counts them
/// @param input path of the text file, empty where the workload reads none
/// @param verify whether to look at the whole result once more, outside the measured time
public record BenchArguments(
    Workload workload,
    String master,
    int warmups,
    int repetitions,
    int size,
    int partitions,
    String input,
    boolean verify) {

  private static final String USAGE =
      "WORKLOAD [--master URL] [--warmups N] [--repetitions N] [--size N] [--partitions N]"
          + " [--input FILE] [--verify]; WORKLOAD is one of "
          + Arrays.stream(Workload.values()).map(Workload::label).collect(Collectors.joining(", "));

  /// Reads a command line; throws [IllegalArgumentException] that says what is wrong.
  public static BenchArguments parse(String... words) {
    if (words.length == 0) {
      throw new IllegalArgumentException("no workload given; usage: " + USAGE);
    }
    Workload workload =
        Workload.named(words[0])
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "unknown workload '" + words[0] + "'; usage: " + USAGE));
    String master = "local[2]";
    int warmups = 2;
    int repetitions = 3;
    int size = workload.defaultSize();
    int partitions = 8;
    String input = "";
    boolean verify = false;
    Iterator<String> rest = List.of(words).subList(1, words.length).iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--verify" -> verify = true;
        case "--master" -> master = valueOf(option, rest);
        case "--warmups" -> warmups = numberOf(option, rest);
        case "--repetitions" -> repetitions = numberOf(option, rest);
        case "--size" -> size = numberOf(option, rest);
        case "--partitions" -> partitions = numberOf(option, rest);
        case "--input" -> input = valueOf(option, rest);
        default ->
            throw new IllegalArgumentException("unknown option '" + option + "'; usage: " + USAGE);
      }
    }
    if (workload == Workload.WORDCOUNT && input.isEmpty()) {
      throw new IllegalArgumentException("wordcount needs --input FILE; usage: " + USAGE);
    }
    return new BenchArguments(
        workload, master, warmups, repetitions, size, partitions, input, verify);
  }

  /// How many records one partition makes.
  public int sizePerPartition() {
    return size / partitions;
  }

  private static String valueOf(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException("no value for '" + option + "'; usage: " + USAGE);
    }
    return rest.next();
  }

  private static int numberOf(String option, Iterator<String> rest) {
    String value = valueOf(option, rest);
    try {
      int number = Integer.parseInt(value);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + option + "' needs a number, not '" + value + "'", e);
    }
    throw new IllegalArgumentException("'" + option + "' can't be negative: " + value);
  }
}
