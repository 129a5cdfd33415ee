package io.kiln.storage.serializer;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.UUID;

/// Reads what [SimpleWriter] wrote.
final class SimpleReader {
  private final ByteReader in;

  SimpleReader(ByteReader in) {
    this.in = in;
  }

  Object read(int tag) throws IOException {
    return switch (tag) {
      case Tag.NULL -> null;
      case Tag.INTEGER -> in.readVarInt();
      case Tag.LONG -> in.readVarLong();
      case Tag.STRING -> in.readString();
      case Tag.DOUBLE -> Double.longBitsToDouble(in.readLong());
      default -> readRare(tag);
    };
  }

  private Object readRare(int tag) throws IOException {
    try {
      return switch (tag) {
        case Tag.BOOLEAN -> in.readByte() != 0;
        case Tag.BYTE -> (byte) in.readByte();
        case Tag.SHORT -> (short) in.readShort();
        case Tag.CHARACTER -> (char) in.readShort();
        case Tag.FLOAT -> Float.intBitsToFloat(in.readInt());
        case Tag.BIG_INTEGER -> new BigInteger(readByteArray());
        case Tag.BIG_DECIMAL -> {
          int scale = in.readVarInt();
          yield new BigDecimal(new BigInteger(readByteArray()), scale);
        }
        case Tag.UUID -> {
          long most = in.readLong();
          yield new UUID(most, in.readLong());
        }
        case Tag.INSTANT -> {
          long seconds = in.readVarLong();
          yield Instant.ofEpochSecond(seconds, in.readVarInt());
        }
        case Tag.DURATION -> {
          long seconds = in.readVarLong();
          yield Duration.ofSeconds(seconds, in.readVarInt());
        }
        case Tag.LOCAL_DATE -> LocalDate.ofEpochDay(in.readVarLong());
        case Tag.LOCAL_TIME -> LocalTime.ofNanoOfDay(in.readVarLong());
        case Tag.LOCAL_DATE_TIME -> {
          LocalDate date = LocalDate.ofEpochDay(in.readVarLong());
          yield LocalDateTime.of(date, LocalTime.ofNanoOfDay(in.readVarLong()));
        }
        default -> readArray(tag);
      };
    } catch (DateTimeException | NumberFormatException e) {
      throw new IOException("the stored bytes are no value: " + e.getMessage(), e);
    }
  }

  private byte[] readByteArray() throws IOException {
    return in.readBytes(in.readUnsignedVarInt());
  }

  private Object readArray(int tag) throws IOException {
    if (tag == Tag.BYTE_ARRAY) {
      return readByteArray();
    }
    int length = in.readUnsignedVarInt();
    int first = in.believable(length);
    switch (tag) {
      case Tag.SHORT_ARRAY -> {
        short[] array = new short[first];
        for (int i = 0; i < length; i++) {
          array = i < array.length ? array : Arrays.copyOf(array, larger(i, length));
          array[i] = (short) in.readShort();
        }
        return array;
      }
      case Tag.CHAR_ARRAY -> {
        char[] array = new char[first];
        for (int i = 0; i < length; i++) {
          array = i < array.length ? array : Arrays.copyOf(array, larger(i, length));
          array[i] = (char) in.readShort();
        }
        return array;
      }
      case Tag.INT_ARRAY -> {
        int[] array = new int[first];
        for (int i = 0; i < length; i++) {
          array = i < array.length ? array : Arrays.copyOf(array, larger(i, length));
          array[i] = in.readVarInt();
        }
        return array;
      }
      case Tag.LONG_ARRAY -> {
        long[] array = new long[first];
        for (int i = 0; i < length; i++) {
          array = i < array.length ? array : Arrays.copyOf(array, larger(i, length));
          array[i] = in.readVarLong();
        }
        return array;
      }
      case Tag.FLOAT_ARRAY -> {
        float[] array = new float[first];
        for (int i = 0; i < length; i++) {
          array = i < array.length ? array : Arrays.copyOf(array, larger(i, length));
          array[i] = Float.intBitsToFloat(in.readInt());
        }
        return array;
      }
      case Tag.DOUBLE_ARRAY -> {
        double[] array = new double[first];
        for (int i = 0; i < length; i++) {
          array = i < array.length ? array : Arrays.copyOf(array, larger(i, length));
          array[i] = Double.longBitsToDouble(in.readLong());
        }
        return array;
      }
      case Tag.BOOLEAN_ARRAY -> {
        boolean[] array = new boolean[first];
        for (int i = 0; i < length; i++) {
          array = i < array.length ? array : Arrays.copyOf(array, larger(i, length));
          array[i] = in.readByte() != 0;
        }
        return array;
      }
      default -> throw new IOException("the stored bytes have an unknown tag " + tag);
    }
  }

  private static int larger(int have, int length) {
    return (int) Math.min(length, 2L * have);
  }
}
