package io.kiln.storage.serializer;

import com.esotericsoftware.kryo.KryoException;
import io.kiln.api.KilnException;
import io.kiln.api.spi.Nesting;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.storage.compression.FrameDecoder;
import java.io.IOException;
import java.io.ObjectStreamException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;

/// Turns objects into bytes and back, in processes of one application. Thread-safe.
///
/// An object comes back equal and of the same class. Bytes are read only if this application wrote
/// them. Common JDK types, pairs and records have codecs here; plain user classes go through a
/// general library; whatever says itself how it is serialised, and all the rest, through Java
/// serialization.
public final class ObjectSerializer {
  private static final int KEPT_CODECS = 64;
  private static final int BY_TAGS = 0;
  private static final int BY_JAVA = 1;

  private final SerializerChoice choice;
  private final ApplicationClasses classes;
  private final ArrayBlockingQueue<KryoCodec> idleCodecs = new ArrayBlockingQueue<>(KEPT_CODECS);
  private final ClassValue<ClassEncoding> plans =
      new ClassValue<>() {
        @Override
        protected ClassEncoding computeValue(Class<?> type) {
          return ClassEncoding.of(type, choice);
        }
      };

  public ObjectSerializer(SerializerChoice choice, ApplicationClasses classes) {
    this.choice = choice;
    this.classes = classes;
  }

  /// @throws KilnException with code `NOT_SERIALIZABLE`
  public byte[] toBytes(Object value) {
    return toBytes(value, ByteWriter.MAX_BYTES);
  }

  /// Stops where it is too much.
  ///
  /// @throws KilnException with code `NOT_SERIALIZABLE`
  /// @throws SizeLimitExceeded if that takes more than so many bytes
  public byte[] toBytes(Object value, int maxBytes) {
    ByteWriter bytes = ByteWriter.upTo(maxBytes);
    try {
      new ObjectWriter(bytes, this).write(value);
    } catch (IOException e) {
      throw notSerializable(value, e);
    }
    return bytes.toByteArray();
  }

  /// @throws KilnException with code `NOT_DESERIALIZABLE`
  public Object fromBytes(byte[] bytes) {
    try {
      return new ObjectReader(new ByteReader(bytes), this).read();
    } catch (IOException e) {
      throw new KilnException(
          "NOT_DESERIALIZABLE",
          KilnException.Kind.APPLICATION,
          "can't read an object of " + bytes.length + " bytes back: " + e.getMessage(),
          e);
    }
  }

  /// Writes one object of any size, in pieces: no array ever holds it as a whole, unless it can
  /// only be written by others than the codecs here and Java.
  ///
  /// @param pieceBytes of all pieces but the last, and but those that a string makes larger
  /// @throws KilnException with code `NOT_SERIALIZABLE`
  /// @throws IOException from the drain
  public void toPieces(Object value, int pieceBytes, ByteWriter.Drain drain) throws IOException {
    ByteWriter bytes = ByteWriter.inChunks(pieceBytes, drain);
    boolean byJava = value != null && (isJavaOnly() || plan(value.getClass()).tag() == Tag.JAVA);
    bytes.writeByte(byJava ? BY_JAVA : BY_TAGS);
    if (byJava) {
      try {
        JavaCodec.write(value, new PieceStream(bytes));
      } catch (ObjectStreamException | StackOverflowError e) {
        throw notSerializable(
            value, e instanceof IOException io ? io : new IOException("it is nested too deeply"));
      }
    } else {
      new ObjectWriter(bytes, this).write(value);
    }
    bytes.flush();
  }

  /// Reads what [#toPieces] wrote.
  ///
  /// @throws IOException if the bytes can't be had or are not what was written
  public Object fromPieces(FrameDecoder pieces) throws IOException {
    try (ByteReader bytes = new ByteReader(pieces)) {
      return bytes.readByte() == BY_JAVA
          ? JavaCodec.read(bytes.rest(), classes)
          : new ObjectReader(bytes, this).read();
    }
  }

  /// Gives to the drain what has gathered, since Java never takes a byte back.
  private static final class PieceStream extends OutputStream {
    private final ByteWriter bytes;

    PieceStream(ByteWriter bytes) {
      this.bytes = bytes;
    }

    @Override
    public void write(int value) throws IOException {
      bytes.writeByte(value);
      bytes.drainFull();
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      bytes.writeBytes(source, offset, length);
      bytes.drainFull();
    }
  }

  static KilnException notSerializable(Object value, Exception cause) {
    return new KilnException(
        "NOT_SERIALIZABLE",
        KilnException.Kind.APPLICATION,
        "a record of "
            + value.getClass().getName()
            + " can't be serialised: "
            + String.valueOf(cause.getMessage()).lines().findFirst().orElse("")
            + "; make its class, and those of what it holds, records or Serializable",
        cause);
  }

  boolean isJavaOnly() {
    return choice == SerializerChoice.JAVA;
  }

  ApplicationClasses classes() {
    return classes;
  }

  ClassEncoding plan(Class<?> type) {
    return plans.get(type);
  }

  /// @throws KryoException if it can't be written, or is nested too deeply for a large stack
  void writeByKryo(Object value, ByteWriter out) {
    deepEnough(
        () -> {
          writeByKryoHere(value, out);
          return true;
        });
  }

  private static <T> T deepEnough(Callable<T> work) {
    try {
      return Nesting.call(work);
    } catch (Nesting.TooDeep e) {
      throw new KryoException(e.getMessage());
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e); // the work throws no other
    }
  }

  private void writeByKryoHere(Object value, ByteWriter out) {
    KryoCodec codec = Optional.ofNullable(idleCodecs.poll()).orElseGet(this::newCodec);
    codec.write(value, out);
    boolean _ = idleCodecs.offer(codec); // one that threw is not used again
  }

  Object readByKryo(byte[] bytes) {
    return deepEnough(() -> readByKryoHere(bytes));
  }

  private Object readByKryoHere(byte[] bytes) {
    KryoCodec codec = Optional.ofNullable(idleCodecs.poll()).orElseGet(this::newCodec);
    Object value = codec.read(bytes);
    boolean _ = idleCodecs.offer(codec);
    return value;
  }

  private KryoCodec newCodec() {
    return new KryoCodec(classes);
  }
}
