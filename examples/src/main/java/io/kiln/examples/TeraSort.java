package io.kiln.examples;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.RDD;
import java.io.IOException;

/// Sorts records of 100 bytes by their key of 10: samples the keys to find ranges of about the same
/// size, a partition each, and sorts within them. The parts of the output, in the order of their
/// names, are sorted as a whole.
///
/// Usage: `TeraSort [input [output]]`; 1,000 records and a new temporary directory by default.
public final class TeraSort {

  private TeraSort() {}

  public static void main(String[] args) throws IOException {
    String input = args.length > 0 ? args[0] : ExampleData.path("tera");
    String output = args.length > 1 ? args[1] : TeraRecords.newDirectory("tera-sorted");
    KilnConf conf = new KilnConf().setAppName("TeraSort").setIfMissing("spark.master", "local[*]");
    try (KilnContext context = KilnContext.create(conf)) {
      RDD<byte[]> records = context.binaryRecords(input, TeraRecords.RECORD_BYTES);
      TeraRecords.save(sort(records), output);
      System.out.println("Sorted into " + output);
      System.out.println(
          TeraValidate.validate(context.binaryRecords(output, TeraRecords.RECORD_BYTES)));
    }
  }

  static RDD<byte[]> sort(RDD<byte[]> records) {
    return records
        .mapToPair(record -> Pair.of(TeraRecords.key(record), record))
        .sortByKey(TeraRecords::compareKeys, records.numPartitions())
        .values();
  }
}
