package io.kiln.network.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads what a [WireWriter] wrote, believing nothing: each length is compared with the bytes that
/// are left before anything is allocated. Used by one thread.
///
/// Every method throws [WireFormatException] if the bytes can't be what it is asked for.
public final class WireReader {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] bytes;
  private final int end;
  private final int maxDepth;
  private int position;
  private int depth;

  /// @param maxDepth how deep values may lie in values
  public WireReader(byte[] bytes, int offset, int length, int maxDepth) {
    this.bytes = bytes;
    this.position = offset;
    this.end = offset + length;
    this.maxDepth = maxDepth;
  }

  public int remaining() {
    return end - position;
  }

  public int readByte() {
    if (position == end) {
      throw new WireFormatException("it ends too early");
    }
    return bytes[position++];
  }

  public boolean readBoolean() {
    int value = readByte();
    if (value != 0 && value != 1) {
      throw new WireFormatException(value + " stands where a truth value should");
    }
    return value == 1;
  }

  public int readFixedInt() {
    need(Integer.BYTES);
    int value = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      value = value << 8 | (bytes[position++] & 0xFF);
    }
    return value;
  }

  public long readFixedLong() {
    need(Long.BYTES);
    long value = (long) LONGS.get(bytes, position);
    position += Long.BYTES;
    return value;
  }

  public long readUnsigned() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = readByte();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new WireFormatException("a number has more than 64 bits");
  }

  public long readSigned() {
    long folded = readUnsigned();
    return (folded >>> 1) ^ -(folded & 1);
  }

  /// @param min the smallest value that is allowed
  /// @param max the largest
  public int readInt(long min, long max) {
    long value = readSigned();
    if (value < min || value > max) {
      throw new WireFormatException(value + " is not between " + min + " and " + max);
    }
    return (int) value;
  }

  /// How many elements follow.
  ///
  /// @param minElementBytes how many bytes each takes at least; positive
  public int readCount(int minElementBytes) {
    long count = readUnsigned();
    if (count < 0 || count > remaining() / minElementBytes) {
      throw new WireFormatException(
          Long.toUnsignedString(count) + " elements are announced in " + remaining() + " bytes");
    }
    return (int) count;
  }

  public String readString() {
    int length = readCount(1);
    int from = position;
    position += length;
    String text = new String(bytes, from, length, StandardCharsets.UTF_8);
    if (text.indexOf('\uFFFD') >= 0) {
      requireUtf8(from, length);
    }
    return text;
  }

  private void requireUtf8(int from, int length) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, length));
    } catch (CharacterCodingException e) {
      throw new WireFormatException("a text is not UTF-8");
    }
  }

  public byte[] readByteArray() {
    return readRaw(readCount(1));
  }

  public byte[] readRaw(int length) {
    need(length);
    byte[] value = Arrays.copyOfRange(bytes, position, position + length);
    position += length;
    return value;
  }

  /// Nothing may follow.
  public void requireEnd() {
    if (position != end) {
      throw new WireFormatException(remaining() + " bytes are left over");
    }
  }

  void enter() {
    if (++depth > maxDepth) {
      throw new WireFormatException("it is nested deeper than " + maxDepth);
    }
  }

  void leave() {
    depth--;
  }

  private void need(int length) {
    if (length < 0 || length > remaining()) {
      throw new WireFormatException(length + " bytes are announced, " + remaining() + " are there");
    }
  }
}
