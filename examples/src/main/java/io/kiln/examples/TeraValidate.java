package io.kiln.examples;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;

/// Checks that records are sorted, and adds up a checksum that doesn't depend on their order: the
/// same before and after a sort that lost and changed nothing.
///
/// Usage: `TeraValidate [directory]`; 1,000 sorted records by default.
public final class TeraValidate {

  /// What was found of some records.
  record Report(long records, long outOfOrder, long checksum) implements Serializable {
    @Override
    public String toString() {
      return "%,d records, checksum %x, %s"
          .formatted(
              records, checksum, outOfOrder == 0 ? "sorted" : outOfOrder + " of them out of order");
    }
  }

  /// A partition's report, with the keys at its ends.
  private record PartitionReport(Report report, byte[] first, byte[] last)
      implements Serializable {}

  private TeraValidate() {}

  public static void main(String[] args) {
    String directory = args.length > 0 ? args[0] : ExampleData.path("tera-sorted");
    KilnConf conf =
        new KilnConf().setAppName("TeraValidate").setIfMissing("spark.master", "local[*]");
    try (KilnContext context = KilnContext.create(conf)) {
      System.out.println(validate(context.binaryRecords(directory, TeraRecords.RECORD_BYTES)));
    }
  }

  static Report validate(RDD<byte[]> records) {
    Report total = new Report(0, 0, 0);
    byte[] last = new byte[TeraRecords.KEY_BYTES];
    for (PartitionReport partition :
        records.mapPartitions(TeraValidate::validatePartition).collect()) {
      Report report = partition.report();
      int misplaced = TeraRecords.compareKeys(last, partition.first()) > 0 ? 1 : 0;
      total =
          new Report(
              total.records() + report.records(),
              total.outOfOrder() + report.outOfOrder() + misplaced,
              total.checksum() + report.checksum());
      last = partition.last();
    }
    return total;
  }

  private static Iterator<PartitionReport> validatePartition(Iterator<byte[]> records) {
    if (!records.hasNext()) {
      return List.<PartitionReport>of().iterator();
    }
    byte[] first = records.next();
    byte[] last = first;
    long count = 1;
    long outOfOrder = 0;
    long checksum = TeraRecords.checksum(first);
    while (records.hasNext()) {
      byte[] record = records.next();
      if (TeraRecords.compareKeys(last, record) > 0) {
        outOfOrder++;
      }
      checksum += TeraRecords.checksum(record);
      count++;
      last = record;
    }
    Report report = new Report(count, outOfOrder, checksum);
    return List.of(new PartitionReport(report, TeraRecords.key(first), TeraRecords.key(last)))
        .iterator();
  }
}
