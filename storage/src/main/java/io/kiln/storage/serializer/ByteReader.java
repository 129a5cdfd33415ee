package io.kiln.storage.serializer;

import io.kiln.storage.compression.FrameDecoder;
import io.kiln.storage.compression.FrameFormat;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads what a [ByteWriter] wrote: from an array, or frame by frame. Used by one thread.
public final class ByteReader implements AutoCloseable {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private static final int MAX_BYTES = Integer.MAX_VALUE - 16;
  private static final int LARGE_BYTES = 1 << 20;
  private static final int FIRST_LARGE_BYTES = 64 << 20;

  private final FrameDecoder frames;
  private byte[] bytes;
  private int position;
  private int limit;

  public ByteReader(byte[] bytes) {
    this.bytes = bytes;
    this.limit = bytes.length;
    this.frames = new FrameDecoder(FrameFormat.PLAIN, java.io.InputStream.nullInputStream());
  }

  public ByteReader(FrameDecoder frames) {
    this.frames = frames;
    this.bytes = new byte[0];
  }

  public boolean hasMore() throws IOException {
    return position < limit || refill();
  }

  /// Appends the next frame to what is left.
  private boolean refill() throws IOException {
    int length = frames.nextLength();
    if (length < 0) {
      return false;
    }
    int left = limit - position;
    if (bytes.length < left + length) {
      int doubled = (int) Math.min(2L * bytes.length, Math.max(1 << 20, 2L * left));
      byte[] larger = new byte[Math.max(left + length, Math.min(doubled, MAX_BYTES))];
      System.arraycopy(bytes, position, larger, 0, left);
      bytes = larger;
    } else if (left > 0 && position > 0) {
      System.arraycopy(bytes, position, bytes, 0, left);
    }
    position = 0;
    limit = left;
    frames.read(bytes, left);
    limit = left + length;
    return true;
  }

  private void need(int count) throws IOException {
    if (limit - position < count) {
      refillTo(count);
    }
  }

  private void refillTo(int count) throws IOException {
    while (limit - position < count) {
      if (count < 0 || !refill()) {
        throw new EOFException("the stored bytes end within a record");
      }
    }
  }

  public int readByte() throws IOException {
    need(1);
    return bytes[position++];
  }

  public int readShort() throws IOException {
    need(2);
    int value = bytes[position] << 8 | (bytes[position + 1] & 0xff);
    position += 2;
    return value;
  }

  public int readInt() throws IOException {
    need(4);
    int value = (int) INTS.get(bytes, position);
    position += 4;
    return value;
  }

  public long readLong() throws IOException {
    need(8);
    long value = (long) LONGS.get(bytes, position);
    position += 8;
    return value;
  }

  public int readVarInt() throws IOException {
    int value = readUnsignedVarInt();
    return (value >>> 1) ^ -(value & 1);
  }

  public int readUnsignedVarInt() throws IOException {
    int b = readByte();
    if (b >= 0) {
      return b;
    }
    int value = b & 0x7f;
    for (int shift = 7; shift < 35; shift += 7) {
      b = readByte();
      value |= (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new IOException("the stored bytes are no number");
  }

  public long readVarLong() throws IOException {
    int b = readByte();
    long value;
    if (b == ByteWriter.WIDE_LONG) {
      value = readLong();
    } else if (b < 0x40) {
      value = b;
    } else {
      value = b & 0x3f;
      int shift = 6;
      do {
        b = readByte();
        value |= (long) (b & 0x7f) << shift;
        shift += 7;
      } while (b < 0 && shift < 64);
    }
    return (value >>> 1) ^ -(value & 1);
  }

  public byte[] readBytes(int length) throws IOException {
    if (length > LARGE_BYTES && limit - position < length) {
      return readLarge(length);
    }
    need(length);
    byte[] copy = Arrays.copyOfRange(bytes, position, position + length);
    position += length;
    return copy;
  }

  /// Frame by frame into the array that is given out, which grows with what comes: an allocation of
  /// what damaged bytes claim could take all memory.
  private byte[] readLarge(int length) throws IOException {
    byte[] target = new byte[Math.min(length, FIRST_LARGE_BYTES)];
    int done = 0;
    while (done < length) {
      if (!hasMore()) {
        throw new EOFException("the stored bytes end within a record");
      }
      int count = Math.min(length - done, limit - position);
      if (count > target.length - done) {
        target = Arrays.copyOf(target, (int) Math.min(length, 4L * (done + count)));
      }
      System.arraycopy(bytes, position, target, done, count);
      position += count;
      done += count;
    }
    return target;
  }

  /// All that is left.
  InputStream rest() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        return hasMore() ? bytes[position++] & 0xff : -1;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
          return 0;
        }
        if (!hasMore()) {
          return -1;
        }
        int count = Math.min(length, limit - position);
        System.arraycopy(bytes, position, target, offset, count);
        position += count;
        return count;
      }
    };
  }

  public String readString() throws IOException {
    int header = readUnsignedVarInt();
    int length = header >>> 1;
    if (length > LARGE_BYTES / 2) {
      return largeString(length, (header & 1) == 1);
    }
    if ((header & 1) == 0) {
      need(length);
      String text = new String(bytes, position, length, StandardCharsets.ISO_8859_1);
      position += length;
      return text;
    }
    need(2 * length);
    char[] chars = new char[length];
    for (int i = 0; i < length; i++) {
      chars[i] = (char) (bytes[position] << 8 | (bytes[position + 1] & 0xff));
      position += 2;
    }
    return new String(chars);
  }

  private String largeString(int length, boolean isWide) throws IOException {
    if (!isWide) {
      return new String(readBytes(length), StandardCharsets.ISO_8859_1);
    }
    if (length > MAX_BYTES / 2) {
      throw new IOException("the stored bytes are no size");
    }
    byte[] wide = readBytes(2 * length);
    char[] chars = new char[length];
    for (int i = 0; i < length; i++) {
      chars[i] = (char) (wide[2 * i] << 8 | (wide[2 * i + 1] & 0xff));
    }
    return new String(chars);
  }

  /// How many more elements can be believed before they are read: an allocation of what damaged
  /// bytes claim could take all memory.
  int believable(int claimed) throws IOException {
    if (claimed < 0) {
      throw new IOException("the stored bytes are no size");
    }
    return Math.min(claimed, 1 << 16);
  }

  @Override
  public void close() throws IOException {
    frames.close();
  }
}
