package acceptance;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.RDD;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/// Contexts, their settings, and RDDs of the driver's data.
final class Making {
  private Making() {}

  static void check(KilnContext sc, Checks c) {
    c.group("context");
    c.holds("active", () -> KilnContext.active().orElseThrow() == sc);
    c.holds("isClosed", () -> !sc.isClosed());
    c.holds("version", () -> !sc.version().isEmpty());
    c.holds("applicationId", () -> !sc.applicationId().isEmpty());
    c.holds("appName", () -> sc.appName().equals(sc.conf().get("spark.app.name", "?")));
    c.holds("master", () -> sc.master().equals(sc.conf().get("spark.master").orElseThrow()));
    c.holds("startTime", () -> sc.startTime() <= System.currentTimeMillis());
    c.holds("defaultParallelism", () -> sc.defaultParallelism() >= 1);
    c.between("defaultMinPartitions", 1, 2, sc::defaultMinPartitions);
    c.holds(
        "setLogLevel",
        () -> {
          sc.setLogLevel("WARN");
          return true;
        });
    c.fails(
        "setLogLevel of nonsense",
        "there is no log level",
        () -> {
          sc.setLogLevel("LOUD");
          return null;
        });

    c.group("sources");
    c.equal("parallelize", Data.NUMBERS, () -> sc.parallelize(Data.NUMBERS).collect());
    c.equal("parallelize in 3", 3, () -> sc.parallelize(Data.NUMBERS, 3).numPartitions());
    c.equal("parallelizePairs", Data.LEFT, () -> sc.parallelizePairs(Data.LEFT).collect());
    c.equal("parallelizePairs in 3", Data.LEFT, () -> sc.parallelizePairs(Data.LEFT, 3).collect());
    c.equal(
        "parallelizeDoubles", Data.DECIMALS, () -> sc.parallelizeDoubles(Data.DECIMALS).collect());
    c.equal(
        "parallelizeDoubles in 3",
        Data.DECIMALS,
        () -> sc.parallelizeDoubles(Data.DECIMALS, 3).collect());
    c.equal("range", LongStream.range(5, 50).boxed().toList(), () -> sc.range(5, 50).collect());
    c.equal("range by step", List.of(9L, 6L, 3L), () -> sc.range(9, 0, -3).collect());
    c.equal("range in 4", List.of(0L, 2L, 4L), () -> sc.range(0, 5, 2, 4).collect());
    c.equal("emptyRDD", List.of(), () -> sc.emptyRDD().collect());
    RDD<Integer> some = sc.parallelize(List.of(1, 2), 1);
    c.equal("union", List.of(1, 2, 1, 2), () -> sc.union(List.of(some, some)).collect());
    c.equal("records of many kinds", Data.kinds(), () -> sc.parallelize(Data.kinds(), 4).collect());
    c.equal(
        "records of many kinds through a shuffle",
        Data.kinds(),
        () ->
            sc.parallelize(Data.kinds(), 4)
                .zipWithIndex()
                .mapToPair(pair -> Pair.of(pair.value(), pair.key()))
                .sortByKey(true, 3)
                .values()
                .collect());
  }

  static void checkConf(Checks c) {
    c.group("conf");
    KilnConf conf = new KilnConf(false).set("spark.a", "1").setIfMissing("spark.a", "2");
    c.equal("set", Optional.of("1"), () -> conf.get("spark.a"));
    c.equal("get or else", "3", () -> conf.get("spark.b", "3"));
    c.equal("contains", false, () -> conf.contains("spark.b"));
    c.equal("copy", Map.of(), () -> conf.copy().remove("spark.a").toMap());
    c.equal(
        "setMaster, setAppName",
        Map.of("spark.a", "1", "spark.master", "local", "spark.app.name", "x"),
        () -> conf.copy().setMaster("local").setAppName("x").toMap());
    c.equal(
        "exceptions",
        List.of("CODE", KilnException.Kind.USER, "message", "why"),
        () -> {
          KilnException bare = new KilnException("CODE", KilnException.Kind.USER, "message");
          KilnException caused =
              new KilnException(
                  bare.code(), bare.kind(), bare.getMessage(), new IllegalStateException("why"));
          return List.of(
              caused.code(), caused.kind(), caused.getMessage(), caused.getCause().getMessage());
        });
  }
}
