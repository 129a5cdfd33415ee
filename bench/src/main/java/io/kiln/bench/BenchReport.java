package io.kiln.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/// Turns the lines that `bench/run` collects into the page of results. Medians are over all
/// repetitions of all rounds.
///
/// `BenchReport FACTS RUNS MASTER`; a line of `FACTS` is `name TAB value`, and one of `RUNS` is
/// `round TAB master TAB load TAB workload TAB engine TAB figure TAB check`, where the figure is
/// a number, `verified` or `failed`.
public final class BenchReport {
  private static final String KILN = "kiln";
  private static final String OPEN = "kiln-open";
  private static final String SPARK = "spark";
  private static final String NETTY = "netty";
  private static final String SINGLE = "single-thread";
  private static final String ONE_SLOT = "local[1]";

  /// Runs of one thread, and of the transport, are not of any master; `bench/run` writes this for
  /// them.
  private static final String NO_MASTER = "-";

  private record Run(
      String round,
      String master,
      String load,
      String workload,
      String engine,
      String figure,
      String check) {
    static Run parse(String line) {
      String[] fields = line.split("\t", -1);
      if (fields.length != 7) {
        throw new IllegalArgumentException("a run has 7 fields, not as here: '" + line + "'");
      }
      return new Run(fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6]);
    }

    boolean isMeasured() {
      return !figure.equals("verified") && !figure.equals("failed");
    }
  }

  private final List<Run> runs;
  private final String master;
  private final StringBuilder page = new StringBuilder();

  private BenchReport(List<Run> runs, String master) {
    this.runs = runs;
    this.master = master;
  }

  public static void main(String[] words) throws IOException {
    if (words.length != 3) {
      throw new IllegalArgumentException("usage: BenchReport FACTS RUNS MASTER");
    }
    List<Run> runs;
    try (var lines = Files.lines(Path.of(words[1]))) {
      runs = lines.map(Run::parse).toList();
    }
    System.out.print(new BenchReport(runs, words[2]).write(Files.readAllLines(Path.of(words[0]))));
  }

  private String write(List<String> facts) {
    page.append("# Kiln beside Apache Spark\n\nWritten by `bench/run`; not by hand.\n\n");
    for (String fact : facts) {
      page.append("- ").append(fact.replaceFirst("\t", ": ")).append('\n');
    }
    againstSpark();
    againstOneThread();
    transportAgainstNetty();
    costOfSecurity();
    checks();
    everyRun();
    return page.toString();
  }

  private void againstSpark() {
    if (runs.stream().allMatch(run -> run.master().equals(NO_MASTER))) {
      return;
    }
    page.append("\n## Against Spark, ").append(master).append("\n\n");
    row("work", "Kiln", "Spark", "Spark ÷ Kiln", "first goal", "where we are going");
    row("---", "---:", "---:", "---:", "---", "---");
    for (BenchRow row : BenchRow.values()) {
      if (runs.stream().noneMatch(run -> run.workload().equals(row.label()))) {
        continue;
      }
      OptionalDouble kiln = median(row.label(), KILN, row.master(master));
      OptionalDouble spark = median(row.label(), SPARK, row.master(master));
      double ratio = quotient(spark, kiln);
      row(
          row.title(),
          shown(row, kiln),
          shown(row, spark),
          shown(ratio),
          goal(ratio, row.firstGoal(master)),
          goal(ratio, row.furtherGoal(master)));
    }
  }

  private void againstOneThread() {
    if (runs.stream().noneMatch(run -> run.engine().equals(SINGLE))) {
      return;
    }
    page.append("\n## Against one good thread\n\n");
    row("work", "one thread", "Kiln " + master, "÷ one thread", "Kiln local[1]", "÷ one thread");
    row("---", "---:", "---:", "---:", "---:", "---:");
    for (BenchRow row : BenchRow.values()) {
      OptionalDouble single = median(row.label(), SINGLE, NO_MASTER);
      if (single.isEmpty()) {
        continue;
      }
      OptionalDouble kiln = median(row.label(), KILN, row.master(master));
      OptionalDouble oneSlot = median(row.label(), KILN, ONE_SLOT);
      row(
          row.title(),
          shown(row, single),
          shown(row, kiln),
          shown(quotient(kiln, single)) + verdict(quotient(kiln, single), 1),
          shown(row, oneSlot),
          shown(quotient(oneSlot, single)) + verdict(quotient(oneSlot, single), 1.3));
    }
    page.append("\nGoals: `local[2]` below 1, then `local[1]` at most 1.3.\n");
  }

  private void transportAgainstNetty() {
    if (runs.stream().noneMatch(run -> run.engine().equals(NETTY))) {
      return;
    }
    page.append("\n## The transport alone, against Netty alone\n\n");
    row("work", "Kiln", "Netty", "Kiln ÷ Netty");
    row("---", "---:", "---:", "---:");
    for (TransportRow row : TransportRow.values()) {
      OptionalDouble kiln = median(row.label(), KILN, NO_MASTER);
      OptionalDouble netty = median(row.label(), NETTY, NO_MASTER);
      double ratio = quotient(kiln, netty);
      row(
          row.title(),
          shown(row, kiln),
          shown(row, netty),
          shown(ratio) + (ratio >= TransportRow.GOAL ? ": met" : ": not yet"));
    }
    page.append("\nBoth ends are in one process. Goal: at least ")
        .append(TransportRow.GOAL)
        .append(" of Netty, which does nothing but send frames back and count a file's bytes.\n");
  }

  private static String shown(TransportRow row, OptionalDouble figure) {
    return figure.isEmpty()
        ? "–"
        : String.format(Locale.ROOT, "%,.0f %s", figure.getAsDouble() * row.scale(), row.unit());
  }

  private void costOfSecurity() {
    if (runs.stream().noneMatch(run -> run.engine().equals(OPEN))) {
      return;
    }
    page.append("\n## What security costs\n\n");
    row("work", "on", "off: spark.authenticate=false", "on ÷ off");
    row("---", "---:", "---:", "---:");
    for (BenchRow row : BenchRow.values()) {
      OptionalDouble off = median(row.label(), OPEN, row.master(master));
      if (off.isPresent()) {
        OptionalDouble on = median(row.label(), KILN, row.master(master));
        row(row.title(), shown(row, on), shown(row, off), shown(quotient(on, off)));
      }
    }
  }

  /// Equal work must have given equal answers.
  private void checks() {
    page.append("\n## Checks\n\n");
    for (BenchRow row : BenchRow.values()) {
      if (!row.comparesChecks()) {
        continue;
      }
      List<String> answers =
          runs.stream()
              .filter(run -> run.workload().equals(row.label()) && !run.figure().equals("failed"))
              .map(run -> (run.isMeasured() ? "" : "verified ") + run.check())
              .distinct()
              .sorted()
              .toList();
      if (answers.isEmpty()) {
        continue;
      }
      long verified = answers.stream().filter(answer -> answer.startsWith("verified ")).count();
      boolean agree = verified <= 1 && answers.size() - verified <= 1;
      page.append("- ").append(row.label()).append(agree ? ": agree: " : ": **DIFFER**: ");
      page.append(String.join("; ", answers)).append('\n');
    }
    String failures =
        runs.stream()
            .filter(run -> run.figure().equals("failed"))
            .map(run -> run.engine() + " " + run.workload() + " (" + run.check() + ")")
            .distinct()
            .collect(Collectors.joining(", "));
    page.append("- failed: ").append(failures.isEmpty() ? "none" : failures).append('\n');
  }

  private void everyRun() {
    page.append("\n## Every run\n\n");
    row("round", "work", "engine", "master", "figure", "check", "load before");
    row("---:", "---", "---", "---", "---:", "---", "---:");
    for (Run run : runs) {
      row(
          run.round(),
          run.workload(),
          run.engine(),
          run.master(),
          run.figure(),
          run.check(),
          run.load());
    }
  }

  private OptionalDouble median(String workload, String engine, String ofMaster) {
    double[] figures =
        runs.stream()
            .filter(Run::isMeasured)
            .filter(run -> run.workload().equals(workload) && run.engine().equals(engine))
            .filter(run -> run.master().equals(ofMaster))
            .mapToDouble(run -> Double.parseDouble(run.figure()))
            .sorted()
            .toArray();
    if (figures.length == 0) {
      return OptionalDouble.empty();
    }
    int middle = figures.length / 2;
    return OptionalDouble.of(
        figures.length % 2 == 1 ? figures[middle] : (figures[middle - 1] + figures[middle]) / 2);
  }

  private static double quotient(OptionalDouble dividend, OptionalDouble divisor) {
    return dividend.orElse(Double.NaN) / divisor.orElse(Double.NaN);
  }

  private String shown(BenchRow row, OptionalDouble figure) {
    if (figure.isEmpty()) {
      return "–";
    }
    if (row == BenchRow.TASKS) {
      return "%,.0f tasks/s".formatted(taskCount() / figure.getAsDouble());
    }
    return String.format(Locale.ROOT, "%.3g %s", figure.getAsDouble() * row.scale(), row.unit());
  }

  private double taskCount() {
    return runs.stream()
        .filter(run -> run.workload().equals(BenchRow.TASKS.label()) && run.isMeasured())
        .mapToDouble(run -> Double.parseDouble(run.check()))
        .findFirst()
        .orElse(Double.NaN);
  }

  private static String shown(double ratio) {
    return Double.isNaN(ratio) ? "–" : String.format(Locale.ROOT, "%.2f", ratio);
  }

  private static String goal(double ratio, double goal) {
    if (goal == 0) {
      return "none";
    }
    String text = String.format(Locale.ROOT, "≥ %.0f", goal);
    return Double.isNaN(ratio) ? text : text + (ratio >= goal ? ": met" : ": not yet");
  }

  private static String verdict(double ratio, double limit) {
    return Double.isNaN(ratio) ? "" : ratio <= limit ? ": met" : ": not yet";
  }

  private void row(String... cells) {
    page.append(Arrays.stream(cells).collect(Collectors.joining(" | ", "| ", " |\n")));
  }
}
