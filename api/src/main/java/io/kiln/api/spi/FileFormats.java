package io.kiln.api.spi;

import io.kiln.api.BinaryFile;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.RDD;
import java.util.Optional;

/// Inputs and outputs in files. Found by [EngineLocator]. Paths are URIs or local paths, with globs
/// and commas where they are inputs.
///
/// Inputs are looked up, and outputs checked, in the call, before any task runs.
public interface FileFormats {

  /// A record a line, without its line end.
  ///
  /// @throws io.kiln.api.KilnException `INPUT_PATH_MISSING` if nothing is there
  RDD<String> textFile(KilnContext context, String path, int minPartitions);

  /// A record a file: its path and its whole text.
  RDD<Pair<String, String>> wholeTextFiles(KilnContext context, String path, int minPartitions);

  /// A record a file: its path and a handle to read it.
  RDD<Pair<String, BinaryFile>> binaryFiles(KilnContext context, String path, int minPartitions);

  /// Records of `recordLength` bytes, back to back.
  RDD<byte[]> binaryRecords(KilnContext context, String path, int recordLength);

  /// What [#saveAsObjectFile] wrote.
  <T> RDD<T> objectFile(KilnContext context, String path, int minPartitions);

  /// A file a partition, a line a record (its `toString`), and `_SUCCESS` once all are there.
  ///
  /// @param codec `gzip`, `bzip2`, `zstd`, `lz4`, or none
  /// @throws io.kiln.api.KilnException `OUTPUT_PATH_EXISTS` if the directory is there
  void saveAsTextFile(RDD<?> rdd, String path, Optional<String> codec);

  void saveAsObjectFile(RDD<?> rdd, String path);

  /// Where a checkpoint of an RDD is written to and read from.
  ///
  /// @return the checkpointed RDD, with as many partitions, to be read in place of `rdd`. It looks
  /// at a partition's index only: RDDs made before the checkpoint go on asking it with the
  /// partitions of `rdd`
  <T> RDD<T> checkpoint(RDD<T> rdd, String directory);
}
