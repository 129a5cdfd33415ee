package io.kiln.base.resource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// The Unix permissions and kinds that a zip keeps in its central directory, which the JDK's own
/// reader doesn't tell. Fields are as in PKWARE's APPNOTE, 4.3.12 to 4.3.16.
final class ZipModes {
  private static final int END_BYTES = 22;
  private static final int MAX_COMMENT_BYTES = 0xffff;
  private static final int END_SIGNATURE = 0x06054b50;
  private static final int END64_LOCATOR_SIGNATURE = 0x07064b50;
  private static final int END64_LOCATOR_BYTES = 20;
  private static final int END64_BYTES = 56;
  private static final int ENTRY_SIGNATURE = 0x02014b50;
  private static final int ENTRY_BYTES = 46;
  private static final int MADE_BY_UNIX = 3;
  private static final int KIND_MASK = 0170000;
  private static final int LINK = 0120000;

  private ZipModes() {}

  static boolean isLink(int mode) {
    return (mode & KIND_MASK) == LINK;
  }

  /// By the names of entries; those that weren't packed on Unix are not there.
  static Map<String, Integer> read(Path file) throws IOException {
    try (RandomAccessFile zip = new RandomAccessFile(file.toFile(), "r")) {
      long[] directory = findDirectory(zip);
      if (directory[1] > Integer.MAX_VALUE - 8) {
        throw new IOException("it has too many entries");
      }
      ByteBuffer entries = bytes(zip, directory[0], (int) directory[1]);
      Map<String, Integer> modes = new HashMap<>();
      while (entries.remaining() >= ENTRY_BYTES
          && entries.getInt(entries.position()) == ENTRY_SIGNATURE) {
        readEntry(entries, modes);
      }
      return modes;
    }
  }

  private static void readEntry(ByteBuffer entries, Map<String, Integer> modes) throws IOException {
    int at = entries.position();
    int nameBytes = entries.getShort(at + 28) & 0xffff;
    int length =
        ENTRY_BYTES
            + nameBytes
            + (entries.getShort(at + 30) & 0xffff)
            + (entries.getShort(at + 32) & 0xffff);
    if (length > entries.remaining()) {
      throw new IOException("it is damaged: its directory ends too early");
    }
    int mode = entries.getInt(at + 38) >>> 16;
    if (entries.get(at + 5) == MADE_BY_UNIX && mode != 0) {
      byte[] name = new byte[nameBytes];
      entries.get(at + ENTRY_BYTES, name);
      modes.put(new String(name, StandardCharsets.UTF_8), mode);
    }
    entries.position(at + length);
  }

  /// @return where it begins, and its bytes
  private static long[] findDirectory(RandomAccessFile zip) throws IOException {
    long fileBytes = zip.length();
    int tailBytes = (int) Math.min(fileBytes, END_BYTES + MAX_COMMENT_BYTES);
    ByteBuffer tail = bytes(zip, fileBytes - tailBytes, tailBytes);
    for (int at = tailBytes - END_BYTES; at >= 0; at--) {
      if (tail.getInt(at) == END_SIGNATURE
          && at + END_BYTES + (tail.getShort(at + 20) & 0xffff) == tailBytes) {
        int locator = at - END64_LOCATOR_BYTES;
        return locator >= 0 && tail.getInt(locator) == END64_LOCATOR_SIGNATURE
            ? large(zip, tail.getLong(locator + 8))
            : before(fileBytes - tailBytes + at, tail.getInt(at + 12) & 0xffffffffL);
      }
    }
    throw new IOException("it is damaged, or no zip: it has no directory");
  }

  private static long[] large(RandomAccessFile zip, long end) throws IOException {
    return before(end, bytes(zip, end, END64_BYTES).getLong(40));
  }

  /// By its end and not by the place it claims, as something may stand before the zip.
  private static long[] before(long end, long bytes) throws IOException {
    if (bytes < 0 || bytes > end) {
      throw new IOException("it is damaged: its directory is not in it");
    }
    return new long[] {end - bytes, bytes};
  }

  private static ByteBuffer bytes(RandomAccessFile zip, long from, int length) throws IOException {
    if (from < 0 || from + length > zip.length()) {
      throw new IOException("it is damaged: its directory is not in it");
    }
    byte[] bytes = new byte[length];
    zip.seek(from);
    zip.readFully(bytes);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
