package io.kiln.storage.serializer;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;

/// Writes the bodies of values that hold no other values.
final class SimpleWriter {
  private final ByteWriter out;

  SimpleWriter(ByteWriter out) {
    this.out = out;
  }

  void write(int tag, Object value) {
    switch (tag) {
      case Tag.NULL -> {}
      case Tag.INTEGER -> out.writeVarInt((Integer) value);
      case Tag.LONG -> out.writeVarLong((Long) value);
      case Tag.STRING -> out.writeString((String) value);
      case Tag.DOUBLE -> out.writeLong(Double.doubleToRawLongBits((Double) value));
      default -> writeRare(tag, value);
    }
  }

  // seconds and nanoseconds are both written
  @SuppressWarnings({"JavaInstantGetSecondsGetNano", "JavaDurationGetSecondsGetNano"})
  private void writeRare(int tag, Object value) {
    switch (tag) {
      case Tag.BOOLEAN -> out.writeByte((Boolean) value ? 1 : 0);
      case Tag.BYTE -> out.writeByte((Byte) value);
      case Tag.SHORT -> out.writeShort((Short) value);
      case Tag.CHARACTER -> out.writeShort((Character) value);
      case Tag.FLOAT -> out.writeInt(Float.floatToRawIntBits((Float) value));
      case Tag.BIG_INTEGER -> writeByteArray(((BigInteger) value).toByteArray());
      case Tag.BIG_DECIMAL -> {
        out.writeVarInt(((BigDecimal) value).scale());
        writeByteArray(((BigDecimal) value).unscaledValue().toByteArray());
      }
      case Tag.UUID -> {
        out.writeLong(((UUID) value).getMostSignificantBits());
        out.writeLong(((UUID) value).getLeastSignificantBits());
      }
      case Tag.INSTANT ->
          writeSeconds(((Instant) value).getEpochSecond(), ((Instant) value).getNano());
      case Tag.DURATION ->
          writeSeconds(((Duration) value).toSeconds(), ((Duration) value).getNano());
      case Tag.LOCAL_DATE -> out.writeVarLong(((LocalDate) value).toEpochDay());
      case Tag.LOCAL_TIME -> out.writeVarLong(((LocalTime) value).toNanoOfDay());
      case Tag.LOCAL_DATE_TIME -> {
        out.writeVarLong(((LocalDateTime) value).toLocalDate().toEpochDay());
        out.writeVarLong(((LocalDateTime) value).toLocalTime().toNanoOfDay());
      }
      default -> writeArray(tag, value);
    }
  }

  private void writeSeconds(long seconds, int nanos) {
    out.writeVarLong(seconds);
    out.writeVarInt(nanos);
  }

  private void writeByteArray(byte[] bytes) {
    out.writeUnsignedVarInt(bytes.length);
    out.writeBytes(bytes, 0, bytes.length);
  }

  private void writeArray(int tag, Object value) {
    switch (tag) {
      case Tag.BYTE_ARRAY -> writeByteArray((byte[]) value);
      case Tag.SHORT_ARRAY -> {
        short[] array = (short[]) value;
        out.writeUnsignedVarInt(array.length);
        for (short element : array) {
          out.writeShort(element);
        }
      }
      case Tag.CHAR_ARRAY -> {
        char[] array = (char[]) value;
        out.writeUnsignedVarInt(array.length);
        for (char element : array) {
          out.writeShort(element);
        }
      }
      case Tag.INT_ARRAY -> {
        int[] array = (int[]) value;
        out.writeUnsignedVarInt(array.length);
        for (int element : array) {
          out.writeVarInt(element);
        }
      }
      case Tag.LONG_ARRAY -> {
        long[] array = (long[]) value;
        out.writeUnsignedVarInt(array.length);
        for (long element : array) {
          out.writeVarLong(element);
        }
      }
      case Tag.FLOAT_ARRAY -> {
        float[] array = (float[]) value;
        out.writeUnsignedVarInt(array.length);
        for (float element : array) {
          out.writeInt(Float.floatToRawIntBits(element));
        }
      }
      case Tag.DOUBLE_ARRAY -> {
        double[] array = (double[]) value;
        out.writeUnsignedVarInt(array.length);
        for (double element : array) {
          out.writeLong(Double.doubleToRawLongBits(element));
        }
      }
      case Tag.BOOLEAN_ARRAY -> {
        boolean[] array = (boolean[]) value;
        out.writeUnsignedVarInt(array.length);
        for (boolean element : array) {
          out.writeByte(element ? 1 : 0);
        }
      }
      default -> throw new IllegalStateException("no simple value has tag " + tag);
    }
  }
}
