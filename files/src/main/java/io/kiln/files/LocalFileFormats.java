package io.kiln.files;

import io.kiln.api.BinaryFile;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.RDD;
import io.kiln.api.spi.FileFormats;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.base.resource.FileTree;
import io.kiln.files.InputPaths.Nested;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Inputs and outputs on local paths, with nothing but the JDK on the way. Stateless.
public final class LocalFileFormats implements FileFormats {
  static final String RECURSIVE_KEY =
      "spark.hadoop.mapreduce.input.fileinputformat.input.dir.recursive";
  private static final String IGNORE_EMPTY_SPLITS_KEY = "spark.hadoopRDD.ignoreEmptySplits";
  private static final String VALIDATE_OUTPUT_KEY = "spark.hadoop.validateOutputSpecs";

  /// For the service loader.
  public LocalFileFormats() {}

  @Override
  public RDD<String> textFile(KilnContext context, String path, int minPartitions) {
    List<InputFile> files = lookUp(context, path, minPartitions);
    List<FileSplit> splits = planner(context).split(files, minPartitions);
    return new TextFileRDD(context, splits).setName(path);
  }

  @Override
  public RDD<Pair<String, String>> wholeTextFiles(
      KilnContext context, String path, int minPartitions) {
    List<InputFile> files = lookUp(context, path, minPartitions, Nested.SKIP);
    files.forEach(file -> Compression.ofPath(file.path())); // refuses what can't be read
    return new WholeTextFilesRDD(context, FileGroup.group(files, minPartitions)).setName(path);
  }

  @Override
  public RDD<Pair<String, BinaryFile>> binaryFiles(
      KilnContext context, String path, int minPartitions) {
    List<InputFile> files = lookUp(context, path, minPartitions, Nested.SKIP);
    return new BinaryFilesRDD(context, FileGroup.group(files, minPartitions)).setName(path);
  }

  @Override
  public RDD<byte[]> binaryRecords(KilnContext context, String path, int recordLength) {
    if (recordLength < 1) {
      throw FileFailure.badRecordLength(
          "the record length must be at least 1 byte, but is " + recordLength);
    }
    int wanted = context.engine().defaultParallelism();
    List<InputFile> files = lookUp(context, path, wanted);
    for (InputFile file : files) {
      if (file.sizeBytes() % recordLength != 0) {
        throw FileFailure.badRecordLength(
            "can't read records of "
                + recordLength
                + " bytes from "
                + file.path()
                + ": its "
                + file.sizeBytes()
                + " bytes are no multiple of that");
      }
    }
    List<FileSplit> splits = planner(context).splitAtMultiples(files, wanted, recordLength);
    return new BinaryRecordsRDD(context, splits, recordLength).setName(path);
  }

  @Override
  public <T> RDD<T> objectFile(KilnContext context, String path, int minPartitions) {
    List<InputFile> files = lookUp(context, path, minPartitions);
    List<FileSplit> splits = planner(context).splitAtMultiples(files, minPartitions, 1);
    RDD<T> objects = new ObjectFileRDD<>(context, splits, Optional.empty());
    return objects.setName(path);
  }

  @Override
  public void saveAsTextFile(RDD<?> rdd, String path, Optional<String> codec) {
    Compression compression = Compression.ofCodec(codec).orElse(null);
    save(rdd, path, directory -> new TextWriter<>(directory, compression));
  }

  @Override
  public void saveAsObjectFile(RDD<?> rdd, String path) {
    save(rdd, path, ObjectFileWriter::new);
  }

  @Override
  public <T> RDD<T> checkpoint(RDD<T> rdd, String directory) {
    save(rdd, directory, ObjectFileWriter::new);
    return new CheckpointRDD<>(rdd, LocalPath.absolute(directory));
  }

  @Override
  public void delete(String path) {
    String absolute = LocalPath.absolute(path);
    try {
      FileTree.remove(Path.of(absolute));
    } catch (IOException e) {
      throw FileFailure.undeletable(absolute, e);
    }
  }

  private static <T> void save(
      RDD<T> rdd,
      String path,
      Function<String, PartitionFunction<T, PartFile.Committed>> writerInto) {
    KilnContext context = rdd.context();
    rdd.partitions(); // an input that is missing is found before anything is created
    boolean mayExist = !Boolean.parseBoolean(context.conf().get(VALIDATE_OUTPUT_KEY, "true"));
    DirectoryOutput output = DirectoryOutput.create(LocalPath.absolute(path), mayExist);
    try {
      output.commit(context.runJob(rdd, writerInto.apply(output.jobDirectory())));
    } catch (RuntimeException | Error e) {
      try {
        output.abort();
      } catch (RuntimeException failedCleanup) {
        e.addSuppressed(failedCleanup);
      }
      throw e;
    }
  }

  private static List<InputFile> lookUp(KilnContext context, String path, int minPartitions) {
    return lookUp(context, path, minPartitions, Nested.REFUSE);
  }

  /// @param nested where the setting does not ask to read nested directories
  private static List<InputFile> lookUp(
      KilnContext context, String path, int minPartitions, Nested nested) {
    if (minPartitions < 0) {
      throw FileFailure.badMinPartitions(minPartitions);
    }
    boolean recursive = Boolean.parseBoolean(context.conf().get(RECURSIVE_KEY, "false"));
    return new InputPaths(recursive ? Nested.READ : nested).lookUp(path);
  }

  private static SplitPlanner planner(KilnContext context) {
    boolean ignoreEmpty = Boolean.parseBoolean(context.conf().get(IGNORE_EMPTY_SPLITS_KEY, "true"));
    return new SplitPlanner(SplitPlanner.LOCAL_BLOCK_BYTES, !ignoreEmpty);
  }
}
