package io.kiln.api.reference;

import io.kiln.api.BinaryFile;
import io.kiln.api.IndexedPartition;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.TaskContext;
import io.kiln.api.spi.FileFormats;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Checkpoints in memory; nothing else, as files have a module of their own.
public final class ReferenceFileFormats implements FileFormats {

  private static final class StoredRDD<T> extends RDD<T> {
    private final Object[][] parts;

    StoredRDD(KilnContext context, Object[][] parts) {
      super(context, List.of());
      this.parts = parts;
    }

    @Override
    protected List<Partition> computePartitions() {
      return IntStream.range(0, parts.length).<Partition>mapToObj(IndexedPartition::new).toList();
    }

    @Override
    @SuppressWarnings("unchecked") // the checkpointed records
    public Iterator<T> compute(Partition split, TaskContext task) {
      return (Iterator<T>) List.of(parts[split.index()]).iterator();
    }
  }

  @Override
  public <T> RDD<T> checkpoint(RDD<T> rdd, String directory) {
    List<Object[]> parts =
        rdd.context()
            .runJob(
                rdd,
                (_, records) -> {
                  List<T> list = new ArrayList<>();
                  records.forEach(list::add);
                  return list.toArray();
                });
    return new StoredRDD<>(rdd.context(), parts.toArray(new Object[0][]));
  }

  private static UnsupportedOperationException noFiles() {
    return new UnsupportedOperationException("the reference has no files");
  }

  @Override
  public RDD<String> textFile(KilnContext context, String path, int minPartitions) {
    throw noFiles();
  }

  @Override
  public RDD<Pair<String, String>> wholeTextFiles(
      KilnContext context, String path, int minPartitions) {
    throw noFiles();
  }

  @Override
  public RDD<Pair<String, BinaryFile>> binaryFiles(
      KilnContext context, String path, int minPartitions) {
    throw noFiles();
  }

  @Override
  public RDD<byte[]> binaryRecords(KilnContext context, String path, int recordLength) {
    throw noFiles();
  }

  @Override
  public <T> RDD<T> objectFile(KilnContext context, String path, int minPartitions) {
    throw noFiles();
  }

  @Override
  public void saveAsTextFile(RDD<?> rdd, String path, Optional<String> codec) {
    throw noFiles();
  }

  @Override
  public void saveAsObjectFile(RDD<?> rdd, String path) {
    throw noFiles();
  }
}
