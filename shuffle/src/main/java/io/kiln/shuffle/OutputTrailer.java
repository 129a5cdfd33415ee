package io.kiln.shuffle;

import io.kiln.network.codec.WireFormatException;
import io.kiln.network.codec.WireReader;
import io.kiln.network.codec.WireWriter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/// What stands in a file behind each map output and says what the output is.
///
/// ```
///   segments │ body │ length of the body, 4 │ CRC32C of the body, 4 │ mark, 8
/// ```
///
/// The body has the shuffle, the map partition, the attempt, the records, the number of reduce
/// partitions, and for each its length and, where that is not 0, its checksum. The outputs of a
/// file are found from its end. What a killed process has left there of an output that was not
/// complete is passed over.
final class OutputTrailer {
  /// Of this form of the file. Any number that data will hardly contain.
  private static final long MARK = 0x4B69_6C6E_D1CE_0001L;

  private static final int FOOT_BYTES = 2 * Integer.BYTES + Long.BYTES;
  private static final int SEARCHED_AT_ONCE = 256 << 10;

  private OutputTrailer() {}

  static byte[] of(CommittedOutput output) {
    long[] lengths = output.output().partitionBytes();
    WireWriter writer = new WireWriter(64 + 8 * lengths.length);
    writer.writeSigned(output.output().shuffleId());
    writer.writeSigned(output.output().mapPartition());
    writer.writeUnsigned(output.taskAttemptId());
    writer.writeUnsigned(output.output().records());
    writer.writeUnsigned(lengths.length);
    for (int reduce = 0; reduce < lengths.length; reduce++) {
      writer.writeUnsigned(lengths[reduce]);
      if (lengths[reduce] > 0) {
        writer.writeFixedInt(output.checksums()[reduce]);
      }
    }
    int body = writer.size();
    CRC32C crc = new CRC32C();
    crc.update(writer.array(), 0, body);
    writer.writeFixedInt(body);
    writer.writeFixedInt((int) crc.getValue());
    writer.writeFixedLong(MARK);
    return writer.toByteArray();
  }

  /// The outputs in a file, the last first.
  ///
  /// @throws IOException if the file can't be read
  static List<CommittedOutput> read(Path path) throws IOException {
    List<CommittedOutput> found = new ArrayList<>();
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      long end = file.size();
      while (end > 0) {
        Optional<Found> output = endingAt(file, end, path);
        if (output.isPresent()) {
          found.add(output.get().output());
          end = output.get().start();
        } else {
          end = lastMarkBefore(file, end - 1);
        }
      }
    }
    return found;
  }

  /// @param start of its first segment, where the output before it ends
  private record Found(CommittedOutput output, long start) {}

  private static Optional<Found> endingAt(FileChannel file, long end, Path path)
      throws IOException {
    if (end < FOOT_BYTES) {
      return Optional.empty();
    }
    ByteBuffer foot = ByteBuffer.wrap(bytes(file, end - FOOT_BYTES, FOOT_BYTES));
    int length = foot.getInt();
    int checksum = foot.getInt();
    if (foot.getLong() != MARK || length <= 0 || length > end - FOOT_BYTES) {
      return Optional.empty();
    }
    long start = end - FOOT_BYTES - length;
    byte[] body = bytes(file, start, length);
    CRC32C crc = new CRC32C();
    crc.update(body);
    if ((int) crc.getValue() != checksum) {
      return Optional.empty();
    }
    try {
      return Optional.of(decode(new WireReader(body, 0, length, 1), start, path));
    } catch (WireFormatException e) {
      return Optional.empty();
    }
  }

  private static Found decode(WireReader body, long end, Path path) {
    int shuffleId = body.readInt(0, Integer.MAX_VALUE);
    int mapPartition = body.readInt(0, Integer.MAX_VALUE);
    long taskAttemptId = body.readUnsigned();
    long records = body.readUnsigned();
    int partitions = body.readCount(1);
    long[] lengths = new long[partitions];
    int[] checksums = new int[partitions];
    long at = end;
    for (int reduce = 0; reduce < partitions; reduce++) {
      lengths[reduce] = body.readUnsigned();
      checksums[reduce] = lengths[reduce] == 0 ? 0 : body.readFixedInt();
      if (lengths[reduce] < 0 || lengths[reduce] > at) {
        throw new WireFormatException("the output is longer than its file");
      }
      at -= lengths[reduce];
    }
    body.requireEnd();
    long[] offsets = new long[partitions];
    long next = at;
    for (int reduce = 0; reduce < partitions; reduce++) {
      offsets[reduce] = next;
      next += lengths[reduce];
    }
    MapOutput output = new MapOutput(shuffleId, mapPartition, lengths, records);
    return new Found(new CommittedOutput(output, taskAttemptId, path, offsets, checksums), at);
  }

  /// @return where the last mark ends that ends at `end` or before; 0 if there is none
  private static long lastMarkBefore(FileChannel file, long end) throws IOException {
    long until = end;
    while (until >= Long.BYTES) {
      long from = Math.max(0, until - SEARCHED_AT_ONCE);
      ByteBuffer piece = ByteBuffer.wrap(bytes(file, from, (int) (until - from)));
      for (int at = piece.limit() - Long.BYTES; at >= 0; at--) {
        if (piece.getLong(at) == MARK) {
          return from + at + Long.BYTES;
        }
      }
      until = from == 0 ? 0 : from + Long.BYTES - 1;
    }
    return 0;
  }

  private static byte[] bytes(FileChannel file, long offset, int length) throws IOException {
    byte[] bytes = new byte[length];
    ByteBuffer target = ByteBuffer.wrap(bytes);
    while (target.hasRemaining()) {
      if (file.read(target, offset + target.position()) < 0) {
        throw new EOFException("the file ends at " + (offset + target.position()));
      }
    }
    return bytes;
  }
}
