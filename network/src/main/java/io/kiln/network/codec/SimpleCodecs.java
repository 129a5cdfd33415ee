package io.kiln.network.codec;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;

/// Values that hold no others.
final class SimpleCodecs {
  private static final Map<Class<?>, ValueCodec<?>> ALL = new HashMap<>();

  private SimpleCodecs() {}

  private record Simple<T>(
      String schema, int minBytes, BiConsumer<WireWriter, T> writer, Function<WireReader, T> reader)
      implements ValueCodec<T> {
    @Override
    public void write(T value, WireWriter out) {
      writer.accept(out, value);
    }

    @Override
    public T read(WireReader in) {
      return reader.apply(in);
    }
  }

  static {
    add("bool", 1, boolean.class, Boolean.class, WireWriter::writeBoolean, WireReader::readBoolean);
    add(
        "byte",
        1,
        byte.class,
        Byte.class,
        (out, value) -> out.writeByte(value),
        in -> (byte) in.readByte());
    add(
        "short",
        1,
        short.class,
        Short.class,
        (out, value) -> out.writeSigned(value),
        in -> (short) in.readInt(Short.MIN_VALUE, Short.MAX_VALUE));
    add(
        "int",
        1,
        int.class,
        Integer.class,
        (out, value) -> out.writeSigned(value),
        in -> in.readInt(Integer.MIN_VALUE, Integer.MAX_VALUE));
    add("long", 1, long.class, Long.class, WireWriter::writeSigned, WireReader::readSigned);
    add(
        "char",
        1,
        char.class,
        Character.class,
        (out, value) -> out.writeSigned(value),
        in -> (char) in.readInt(Character.MIN_VALUE, Character.MAX_VALUE));
    add(
        "float",
        Float.BYTES,
        float.class,
        Float.class,
        (out, value) -> out.writeFixedInt(Float.floatToRawIntBits(value)),
        in -> Float.intBitsToFloat(in.readFixedInt()));
    add(
        "double",
        Double.BYTES,
        double.class,
        Double.class,
        (out, value) -> out.writeFixedLong(Double.doubleToRawLongBits(value)),
        in -> Double.longBitsToDouble(in.readFixedLong()));
    add("text", 1, String.class, WireWriter::writeString, WireReader::readString);
    add("bytes", 1, byte[].class, WireWriter::writeByteArray, WireReader::readByteArray);
    add("ints", 1, int[].class, SimpleCodecs::writeInts, SimpleCodecs::readInts);
    add("longs", 1, long[].class, SimpleCodecs::writeLongs, SimpleCodecs::readLongs);
    add("doubles", 1, double[].class, SimpleCodecs::writeDoubles, SimpleCodecs::readDoubles);
    add("duration", 2, Duration.class, SimpleCodecs::writeDuration, SimpleCodecs::readDuration);
    add("instant", 2, Instant.class, SimpleCodecs::writeInstant, SimpleCodecs::readInstant);
    add(
        "uuid",
        2 * Long.BYTES,
        UUID.class,
        (out, value) -> {
          out.writeFixedLong(value.getMostSignificantBits());
          out.writeFixedLong(value.getLeastSignificantBits());
        },
        in -> new UUID(in.readFixedLong(), in.readFixedLong()));
    add(
        "uri",
        1,
        URI.class,
        (out, value) -> out.writeString(value.toString()),
        SimpleCodecs::readUri);
  }

  /// @return `null` if it is none of these
  static ValueCodec<?> find(Class<?> type) {
    return ALL.get(type);
  }

  private static <T> void add(
      String schema,
      int minBytes,
      Class<T> type,
      BiConsumer<WireWriter, T> writer,
      Function<WireReader, T> reader) {
    ALL.put(type, new Simple<>(schema, minBytes, writer, reader));
  }

  private static <T> void add(
      String schema,
      int minBytes,
      Class<T> primitive,
      Class<T> box,
      BiConsumer<WireWriter, T> writer,
      Function<WireReader, T> reader) {
    add(schema, minBytes, primitive, writer, reader);
    add(schema, minBytes, box, writer, reader);
  }

  private static void writeInts(WireWriter out, int[] values) {
    out.writeUnsigned(values.length);
    for (int value : values) {
      out.writeSigned(value);
    }
  }

  private static int[] readInts(WireReader in) {
    int[] values = new int[in.readCount(1)];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readInt(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
    return values;
  }

  /// Each as its distance from the one before: ids in a row take a byte each.
  private static void writeLongs(WireWriter out, long[] values) {
    out.writeUnsigned(values.length);
    long before = 0;
    for (long value : values) {
      out.writeSigned(value - before);
      before = value;
    }
  }

  private static long[] readLongs(WireReader in) {
    long[] values = new long[in.readCount(1)];
    long before = 0;
    for (int i = 0; i < values.length; i++) {
      before += in.readSigned();
      values[i] = before;
    }
    return values;
  }

  private static void writeDoubles(WireWriter out, double[] values) {
    out.writeUnsigned(values.length);
    for (double value : values) {
      out.writeFixedLong(Double.doubleToRawLongBits(value));
    }
  }

  private static double[] readDoubles(WireReader in) {
    double[] values = new double[in.readCount(Double.BYTES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = Double.longBitsToDouble(in.readFixedLong());
    }
    return values;
  }

  private static void writeDuration(WireWriter out, Duration value) {
    out.writeSigned(value.getSeconds());
    out.writeUnsigned(value.getNano());
  }

  private static Duration readDuration(WireReader in) {
    long seconds = in.readSigned();
    return Duration.ofSeconds(seconds, readNanosOfSecond(in));
  }

  private static void writeInstant(WireWriter out, Instant value) {
    out.writeSigned(value.getEpochSecond());
    out.writeUnsigned(value.getNano());
  }

  private static Instant readInstant(WireReader in) {
    long seconds = in.readSigned();
    if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()) {
      throw new WireFormatException(seconds + " seconds are no time");
    }
    return Instant.ofEpochSecond(seconds, readNanosOfSecond(in));
  }

  private static long readNanosOfSecond(WireReader in) {
    long nanos = in.readUnsigned();
    if (nanos < 0 || nanos >= 1_000_000_000) {
      throw new WireFormatException(Long.toUnsignedString(nanos) + " nanoseconds in a second");
    }
    return nanos;
  }

  private static URI readUri(WireReader in) {
    String text = in.readString();
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new WireFormatException("a text is no URI");
    }
  }
}
