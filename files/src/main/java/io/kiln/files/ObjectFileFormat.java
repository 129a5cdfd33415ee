package io.kiln.files;

/// The container of object files. All numbers are big-endian.
///
/// ```
///  header   8 bytes   "KILNOBJ" and the version, 1
///  batch    int       records in the batch, at least 1
///           int       bytes of the content
///           int       CRC32C of the content
///           content   the records, one Java serialization stream
///  … more batches
///  index    long …    the offset of each batch in the file
///  trailer  long      records in the file
///           int       batches in the file
///           int       CRC32C of the index and the trailer up to here
///           int       "KEND"
/// ```
///
/// A batch can be read without those before it, and the index at the end says where batches begin,
/// so that a file can be split; a file without a trailer was not written to its end.
final class ObjectFileFormat {
  static final long HEADER = 0x4B494C4E4F424A00L | 1; // "KILNOBJ", version 1
  static final int HEADER_BYTES = Long.BYTES;
  static final int BATCH_HEADER_BYTES = 3 * Integer.BYTES;
  static final int TRAILER_BYTES = Long.BYTES + 3 * Integer.BYTES;
  static final int TRAILER_MAGIC = 0x4B454E44; // "KEND"

  /// A batch is written when its content has reached this size.
  static final int BATCH_BYTES = 1 << 20;

  private ObjectFileFormat() {}
}
