package io.kiln.files;

import io.kiln.api.BinaryFile;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.RDD;
import io.kiln.api.spi.FileFormats;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.base.filesystem.FileStatus;
import io.kiln.base.filesystem.FileSystems;
import io.kiln.files.InputPaths.Nested;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/// Inputs and outputs on paths, wherever they lead. Stateless.
public final class PathFileFormats implements FileFormats {
  static final String RECURSIVE_KEY =
      "spark.hadoop.mapreduce.input.fileinputformat.input.dir.recursive";
  private static final String IGNORE_EMPTY_SPLITS_KEY = "spark.hadoopRDD.ignoreEmptySplits";
  private static final String VALIDATE_OUTPUT_KEY = "spark.hadoop.validateOutputSpecs";

  /// For the service loader.
  public PathFileFormats() {}

  @Override
  public RDD<String> textFile(KilnContext context, String path, int minPartitions) {
    FileSystems systems = systems(context);
    List<FileStatus> files = lookUp(context, systems, path, minPartitions, Nested.REFUSE);
    List<FileSplit> splits = planner(context).split(files, minPartitions);
    return new TextFileRDD(context, Input.of(systems, files, splits)).setName(path);
  }

  @Override
  public RDD<Pair<String, String>> wholeTextFiles(
      KilnContext context, String path, int minPartitions) {
    FileSystems systems = systems(context);
    List<FileStatus> files = lookUp(context, systems, path, minPartitions, Nested.SKIP);
    files.forEach(file -> Compression.ofPath(file.path())); // refuses what can't be read
    List<FileGroup> groups = FileGroup.group(files, minPartitions);
    return new WholeTextFilesRDD(context, Input.of(systems, files, groups)).setName(path);
  }

  @Override
  public RDD<Pair<String, BinaryFile>> binaryFiles(
      KilnContext context, String path, int minPartitions) {
    FileSystems systems = systems(context);
    List<FileStatus> files = lookUp(context, systems, path, minPartitions, Nested.SKIP);
    List<FileGroup> groups = FileGroup.group(files, minPartitions);
    return new BinaryFilesRDD(context, Input.of(systems, files, groups)).setName(path);
  }

  @Override
  public RDD<byte[]> binaryRecords(KilnContext context, String path, int recordLength) {
    if (recordLength < 1) {
      throw FileFailure.badRecordLength(
          "the record length must be at least 1 byte, but is " + recordLength);
    }
    int wanted = context.engine().defaultParallelism();
    FileSystems systems = systems(context);
    List<FileStatus> files = lookUp(context, systems, path, wanted, Nested.REFUSE);
    for (FileStatus file : files) {
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
    return new BinaryRecordsRDD(context, Input.of(systems, files, splits), recordLength)
        .setName(path);
  }

  @Override
  public <T> RDD<T> objectFile(KilnContext context, String path, int minPartitions) {
    FileSystems systems = systems(context);
    List<FileStatus> files = lookUp(context, systems, path, minPartitions, Nested.REFUSE);
    List<FileSplit> splits = planner(context).splitAtMultiples(files, minPartitions, 1);
    RDD<T> objects =
        new ObjectFileRDD<>(context, Input.of(systems, files, splits), Optional.empty());
    return objects.setName(path);
  }

  @Override
  public void saveAsTextFile(RDD<?> rdd, String path, Optional<String> codec) {
    Compression compression = Compression.ofCodec(codec).orElse(null);
    save(rdd, path, (systems, directory) -> new TextWriter<>(systems, directory, compression));
  }

  @Override
  public void saveAsObjectFile(RDD<?> rdd, String path) {
    save(rdd, path, ObjectFileWriter::new);
  }

  @Override
  public <T> RDD<T> checkpoint(RDD<T> rdd, String directory) {
    save(rdd, directory, ObjectFileWriter::new);
    FileSystems systems = systems(rdd.context());
    String absolute = systems.absolute(directory);
    return new CheckpointRDD<>(rdd, systems.forTasks(List.of(absolute)), absolute);
  }

  private static <T> void save(
      RDD<T> rdd,
      String path,
      BiFunction<FileSystems, String, PartitionFunction<T, PartFile.Committed>> writerInto) {
    KilnContext context = rdd.context();
    rdd.partitions(); // an input that is missing is found before anything is created
    boolean mayExist = !Boolean.parseBoolean(context.conf().get(VALIDATE_OUTPUT_KEY, "true"));
    FileSystems systems = systems(context);
    String absolute = systems.absolute(path);
    DirectoryOutput output = DirectoryOutput.create(systems, absolute, mayExist);
    try {
      FileSystems ofTasks = systems.forTasks(List.of(absolute));
      output.commit(context.runJob(rdd, writerInto.apply(ofTasks, output.jobDirectory())));
    } catch (RuntimeException | Error e) {
      try {
        output.abort();
      } catch (RuntimeException failedCleanup) {
        e.addSuppressed(failedCleanup);
      }
      throw e;
    }
  }

  private static FileSystems systems(KilnContext context) {
    return FileSystems.of(context.conf().toMap(), context.engine().applicationLoader());
  }

  /// @param nested where the setting does not ask to read nested directories
  private static List<FileStatus> lookUp(
      KilnContext context, FileSystems systems, String path, int minPartitions, Nested nested) {
    if (minPartitions < 0) {
      throw FileFailure.badMinPartitions(minPartitions);
    }
    boolean recursive = Boolean.parseBoolean(context.conf().get(RECURSIVE_KEY, "false"));
    return new InputPaths(systems, recursive ? Nested.READ : nested).lookUp(path);
  }

  private static SplitPlanner planner(KilnContext context) {
    boolean ignoreEmpty = Boolean.parseBoolean(context.conf().get(IGNORE_EMPTY_SPLITS_KEY, "true"));
    return new SplitPlanner(!ignoreEmpty);
  }
}
