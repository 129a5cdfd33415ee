package io.kiln.storage.serializer;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;

/// Bytes gathered in an array that grows; given to a drain between records once there are enough.
/// Used by one thread.
public final class ByteWriter {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  static final byte WIDE_LONG = (byte) 0x80;
  private static final int LARGE_STRING = 64 << 10;
  static final int MAX_BYTES = Integer.MAX_VALUE - 16;

  private final int drainAt;
  private final int chunkBytes; // 0: everything lies in one array
  private final Drain drain;
  private final int maxBytes;
  private final ArrayDeque<byte[]> full = new ArrayDeque<>(1);
  private long fullBytes;
  private byte[] bytes;
  private int position;

  /// Takes what has been gathered; must not keep the array.
  @FunctionalInterface
  public interface Drain {
    void drain(byte[] bytes, int length) throws IOException;
  }

  /// Keeps everything.
  public ByteWriter(int firstBytes) {
    this(firstBytes, Integer.MAX_VALUE, (_, _) -> {});
  }

  /// @param drainAt how many bytes are enough for the drain
  public ByteWriter(int firstBytes, int drainAt, Drain drain) {
    this(firstBytes, drainAt, 0, drain, MAX_BYTES);
  }

  private ByteWriter(int firstBytes, int drainAt, int chunkBytes, Drain drain, int maxBytes) {
    this.maxBytes = maxBytes;
    this.bytes = new byte[firstBytes];
    this.drainAt = drainAt;
    this.chunkBytes = chunkBytes;
    this.drain = drain;
  }

  /// Keeps everything, up to a limit.
  ///
  /// @param maxBytes more is a [SizeLimitExceeded]
  static ByteWriter upTo(int maxBytes) {
    int limit = Math.min(maxBytes, MAX_BYTES);
    return new ByteWriter(Math.min(128, limit), Integer.MAX_VALUE, 0, (_, _) -> {}, limit);
  }

  /// For one record of any size: it is gathered in several arrays, which are drained by [#flush]
  /// one after the other.
  static ByteWriter inChunks(int chunkBytes, Drain drain) {
    return new ByteWriter(chunkBytes, Integer.MAX_VALUE, chunkBytes, drain, MAX_BYTES);
  }

  public int position() {
    return (int) (fullBytes + position);
  }

  /// How much memory the array takes.
  public int capacity() {
    return bytes.length;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, position);
  }

  /// A record is complete: drains if there is enough.
  public void recordDone() throws IOException {
    if (position >= drainAt) {
      flush();
    }
  }

  /// Gives to the drain those arrays of several that are full.
  void drainFull() throws IOException {
    while (!full.isEmpty()) {
      byte[] chunk = full.removeFirst();
      fullBytes -= chunk.length;
      drain.drain(chunk, chunk.length);
    }
  }

  /// Gives all that was gathered to the drain.
  public void flush() throws IOException {
    drainFull();
    if (position > 0) {
      drain.drain(bytes, position);
      position = 0;
      if (bytes.length > 4L * drainAt) {
        bytes = new byte[drainAt];
      }
    }
  }

  /// Moves all that was gathered to another, past the drain.
  public void writeTo(ByteWriter target) throws IOException {
    target.writeBytes(bytes, 0, position);
    target.recordDone();
    position = 0;
  }

  /// Forgets what was written after `mark`, a position of the same record.
  void rollBack(int mark) {
    while (mark < fullBytes) {
      bytes = full.removeLast();
      fullBytes -= bytes.length;
    }
    position = (int) (mark - fullBytes);
  }

  private void makeRoom(int more) {
    if (chunkBytes > 0) {
      full.addLast(position == bytes.length ? bytes : Arrays.copyOf(bytes, position));
      fullBytes += position;
      bytes = new byte[Math.max(more, chunkBytes)];
      position = 0;
      return;
    }
    long needed = (long) position + more;
    if (needed > maxBytes) {
      throw maxBytes < MAX_BYTES
          ? new SizeLimitExceeded(maxBytes)
          : SizeLimitExceeded.recordTooLarge();
    }
    long doubled = Math.max(needed, Math.min(2L * bytes.length, maxBytes));
    bytes = Arrays.copyOf(bytes, (int) doubled);
  }

  private void reserve(int more) {
    if (bytes.length - position < more) {
      makeRoom(more);
    }
  }

  public void writeByte(int value) {
    reserve(1);
    bytes[position++] = (byte) value;
  }

  public void writeShort(int value) {
    reserve(2);
    bytes[position++] = (byte) (value >> 8);
    bytes[position++] = (byte) value;
  }

  public void writeInt(int value) {
    reserve(4);
    INTS.set(bytes, position, value);
    position += 4;
  }

  public void writeLong(long value) {
    reserve(8);
    LONGS.set(bytes, position, value);
    position += 8;
  }

  /// Small absolute values take few bytes.
  public void writeVarInt(int value) {
    writeUnsignedVarInt((value << 1) ^ (value >> 31));
  }

  public void writeUnsignedVarInt(int value) {
    reserve(5);
    byte[] target = bytes;
    int at = position;
    int rest = value;
    while ((rest & ~0x7f) != 0) {
      target[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[at++] = (byte) rest;
    position = at;
  }

  /// Small absolute values take few bytes, others up to nine.
  ///
  /// Below 2^41 in size: groups of seven bits, the lowest first. Else a mark that no such value
  /// begins with and eight bytes: as short, and no loop.
  public void writeVarLong(long value) {
    reserve(9);
    byte[] target = bytes;
    int at = position;
    long rest = (value << 1) ^ (value >> 63);
    if (rest >>> 42 != 0) {
      target[at] = WIDE_LONG;
      LONGS.set(target, at + 1, rest);
      position = at + 9;
      return;
    }
    // the first byte holds six bits and whether more follow; its top bit is the mark's alone
    target[at++] = (byte) (rest < 0x40 ? rest : (rest & 0x3f) | 0x40);
    rest = rest < 0x40 ? 0 : rest >>> 6;
    if (target[at - 1] < 0x40) {
      position = at;
      return;
    }
    while ((rest & ~0x7fL) != 0) {
      target[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[at++] = (byte) rest;
    position = at;
  }

  public void writeBytes(byte[] source, int offset, int length) {
    int at = offset;
    int end = offset + length;
    while (chunkBytes > 0 && end - at > bytes.length - position) {
      int count = bytes.length - position;
      System.arraycopy(source, at, bytes, position, count);
      position += count;
      at += count;
      makeRoom(1);
    }
    reserve(end - at);
    System.arraycopy(source, at, bytes, position, end - at);
    position += end - at;
  }

  /// One byte a character as far as that goes, else two.
  public void writeString(String text) {
    int length = text.length();
    if (length > MAX_BYTES / 2) {
      throw SizeLimitExceeded.recordTooLarge();
    }
    reserve(5 + length);
    int mark = position;
    if (length < 64) {
      bytes[position++] = (byte) (length << 1);
    } else {
      writeUnsignedVarInt(length << 1);
    }
    boolean isNarrow = length < LARGE_STRING ? writeNarrow(text) : writeLargeNarrow(text);
    if (!isNarrow) {
      position = mark;
      writeWideString(text);
    }
  }

  private boolean writeNarrow(String text) {
    int length = text.length();
    byte[] target = bytes;
    int at = position;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c > 0xff) {
        return false;
      }
      target[at + i] = (byte) c;
    }
    position = at + length;
    return true;
  }

  /// By what the JVM has built in: a loop would be interpreted in one that has just started.
  private boolean writeLargeNarrow(String text) {
    for (int from = 0; from < text.length(); from += LARGE_STRING) {
      String part = text.substring(from, Math.min(text.length(), from + LARGE_STRING));
      byte[] narrow = part.getBytes(StandardCharsets.ISO_8859_1);
      if (!new String(narrow, StandardCharsets.ISO_8859_1).equals(part)) {
        return false;
      }
      System.arraycopy(narrow, 0, bytes, position, narrow.length);
      position += narrow.length;
    }
    return true;
  }

  private void writeWideString(String text) {
    int length = text.length();
    writeUnsignedVarInt(length << 1 | 1);
    reserve(2 * length);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      bytes[position++] = (byte) (c >> 8);
      bytes[position++] = (byte) c;
    }
  }
}
