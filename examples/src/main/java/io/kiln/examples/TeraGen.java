package io.kiln.examples;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import java.io.IOException;

/// Writes records for [TeraSort]: 100 bytes each, with random keys.
///
/// Usage: `TeraGen [records [directory [slices]]]`; 100,000 records in a new temporary directory by
/// default, in 4 slices.
public final class TeraGen {

  private TeraGen() {}

  public static void main(String[] args) throws IOException {
    long records = args.length > 0 ? Long.parseLong(args[0]) : 100_000;
    String directory = args.length > 1 ? args[1] : TeraRecords.newDirectory("tera");
    int slices = args.length > 2 ? Integer.parseInt(args[2]) : 4;
    KilnConf conf = new KilnConf().setAppName("TeraGen").setIfMissing("spark.master", "local[*]");
    try (KilnContext context = KilnContext.create(conf)) {
      TeraRecords.save(generate(context, records, slices), directory);
      System.out.printf("%,d records written to %s%n", records, directory);
    }
  }

  static RDD<byte[]> generate(KilnContext context, long records, int slices) {
    return context
        .range(0, slices, 1, slices)
        .flatMap(
            slice ->
                TeraRecords.generate(
                    firstRow(records, slices, slice), firstRow(records, slices, slice + 1)));
  }

  private static long firstRow(long records, int slices, long slice) {
    return records / slices * slice + Math.min(slice, records % slices);
  }
}
