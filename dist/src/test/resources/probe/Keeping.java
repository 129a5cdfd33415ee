package probe;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import io.kiln.api.StorageLevel;
import io.kiln.api.accumulator.LongAccumulator;

/// An application that computes everything once, if nothing of it is lost: prints what it has and
/// how often it has computed, at first and for each line that it reads.
public class Keeping {

  public static void main(String[] arguments) throws Exception {
    try (KilnContext context = KilnContext.create(new KilnConf().setAppName("keeping"))) {
      LongAccumulator computed = context.longAccumulator("computed");
      LongAccumulator mapped = context.longAccumulator("mapped");
      RDD<Long> kept =
          context
              .range(0, 1000, 1, 8)
              .map(
                  number -> {
                    computed.add(1);
                    return number;
                  })
              .persist(StorageLevel.MEMORY_ONLY);
      PairRDD<Long, Integer> counts =
          context
              .range(0, 1000, 1, 8)
              .mapToPair(
                  number -> {
                    mapped.add(1);
                    return Pair.of(number % 10, 1);
                  })
              .reduceByKey(Integer::sum, 4);
      do {
        System.out.println(
            kept.reduce(Long::sum)
                + " "
                + counts.filter(pair -> pair.value() == 100).count()
                + ", computed "
                + computed.value()
                + " and "
                + mapped.value());
      } while (System.in.read() == '\n');
    }
  }
}
