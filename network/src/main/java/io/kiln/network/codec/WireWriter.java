package io.kiln.network.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Gathers bytes in an array that grows. Whole numbers are written in groups of seven bits, the
/// lowest first, signed ones folded so that small ones are short (as Protocol Buffers' varint and
/// zigzag). Used by one thread.
public final class WireWriter {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int MAX_BYTES = Integer.MAX_VALUE - 16;

  private byte[] bytes;
  private int size;

  public WireWriter(int firstBytes) {
    bytes = new byte[Math.max(16, firstBytes)];
  }

  public int size() {
    return size;
  }

  /// The array that holds the first [#size] bytes; changes with the next write.
  public byte[] array() {
    return bytes;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  /// Begins anew, in an array of moderate size.
  ///
  /// @param keepBytes a larger array is let go of
  public void clear(int keepBytes) {
    size = 0;
    if (bytes.length > keepBytes) {
      bytes = new byte[keepBytes];
    }
  }

  /// Forgets all that was written after the writer had this size.
  public void truncate(int toSize) {
    size = toSize;
  }

  public void writeByte(int value) {
    room(1);
    bytes[size++] = (byte) value;
  }

  public void writeBoolean(boolean value) {
    writeByte(value ? 1 : 0);
  }

  /// Four bytes, the highest first.
  public void writeFixedInt(int value) {
    room(Integer.BYTES);
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  /// Puts four bytes where such were written before.
  public void patchFixedInt(int at, int value) {
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[at + i] = (byte) (value >>> (24 - 8 * i));
    }
  }

  /// Eight bytes, the highest first.
  public void writeFixedLong(long value) {
    room(Long.BYTES);
    LONGS.set(bytes, size, value);
    size += Long.BYTES;
  }

  /// A number that is usually small and never negative; a negative one takes ten bytes.
  public void writeUnsigned(long value) {
    room(10);
    long left = value;
    while ((left & ~0x7FL) != 0) {
      bytes[size++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    bytes[size++] = (byte) left;
  }

  public void writeSigned(long value) {
    writeUnsigned((value << 1) ^ (value >> 63));
  }

  /// Its length, then UTF-8.
  public void writeString(String value) {
    writeByteArray(value.getBytes(StandardCharsets.UTF_8));
  }

  /// Its length, then the bytes.
  public void writeByteArray(byte[] value) {
    writeUnsigned(value.length);
    writeRaw(value, 0, value.length);
  }

  public void writeRaw(byte[] source, int offset, int length) {
    room(length);
    System.arraycopy(source, offset, bytes, size, length);
    size += length;
  }

  private void room(int more) {
    if (more <= bytes.length - size) {
      return;
    }
    long needed = (long) size + more;
    if (needed > MAX_BYTES) {
      throw new IllegalStateException("a message of more than " + MAX_BYTES + " bytes");
    }
    bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, Math.max(needed, 2L * bytes.length)));
  }
}
