package io.kiln.examples;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Asks a web server's access log, in the combined log format, who asked for what how often, and
/// how many bytes it took.
///
/// Usage: `LogQuery [path]`, the log of a shop by default.
public final class LogQuery {
  private static final Pattern COMBINED =
      Pattern.compile(
          "(\\S+) \\S+ (\\S+) \\[[^]]+] \"(\\S+) (\\S+) [^\"]+\" (\\d{3}) (\\d+|-)"
              + " \"[^\"]*\" \"[^\"]*\"");
  private static final int SHOWN = 15;

  /// A line of the log.
  record Access(String ip, String user, String query, int status, long bytes)
      implements Serializable {}

  /// Who asked for what.
  record Request(String ip, String user, String query) implements Serializable {}

  /// How often, and how many bytes that took.
  record Traffic(long count, long bytes) implements Serializable {
    Traffic plus(Traffic other) {
      return new Traffic(count + other.count, bytes + other.bytes);
    }
  }

  private LogQuery() {}

  public static void main(String[] args) {
    String path = args.length > 0 ? args[0] : ExampleData.path("access.log");
    KilnConf conf = new KilnConf().setAppName("LogQuery").setIfMissing("spark.master", "local[*]");
    try (KilnContext context = KilnContext.create(conf)) {
      RDD<String> lines = context.textFile(path);
      RDD<Access> accesses = lines.flatMap(LogQuery::parse).cache();
      print(heaviest(byRequest(accesses)));
      System.out.println();
      byStatus(accesses)
          .sortByKey()
          .collect()
          .forEach(status -> print(String.valueOf(status.key()), status.value()));
      long understood = accesses.count();
      System.out.printf("%,d accesses, %,d other lines%n", understood, lines.count() - understood);
    }
  }

  static Iterator<Access> parse(String line) {
    return parseLine(line).stream().iterator();
  }

  static Optional<Access> parseLine(String line) {
    Matcher matcher = COMBINED.matcher(line);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String bytes = matcher.group(6);
    return Optional.of(
        new Access(
            matcher.group(1),
            matcher.group(2),
            matcher.group(3) + " " + matcher.group(4),
            Integer.parseInt(matcher.group(5)),
            bytes.equals("-") ? 0 : Long.parseLong(bytes)));
  }

  static PairRDD<Request, Traffic> byRequest(RDD<Access> accesses) {
    return accesses
        .mapToPair(
            access ->
                Pair.of(
                    new Request(access.ip(), access.user(), access.query()),
                    new Traffic(1, access.bytes())))
        .reduceByKey(Traffic::plus);
  }

  static PairRDD<Integer, Traffic> byStatus(RDD<Access> accesses) {
    return accesses
        .mapToPair(access -> Pair.of(access.status(), new Traffic(1, access.bytes())))
        .reduceByKey(Traffic::plus);
  }

  static List<Pair<Request, Traffic>> heaviest(PairRDD<Request, Traffic> requests) {
    return requests.top(
        SHOWN, (left, right) -> Long.compare(left.value().bytes(), right.value().bytes()));
  }

  private static void print(List<Pair<Request, Traffic>> requests) {
    for (Pair<Request, Traffic> request : requests) {
      Request key = request.key();
      print(String.join(" ", key.ip(), key.user(), key.query()), request.value());
    }
  }

  private static void print(String what, Traffic traffic) {
    System.out.printf("%-48s %,7d times %,13d bytes%n", what, traffic.count(), traffic.bytes());
  }
}
