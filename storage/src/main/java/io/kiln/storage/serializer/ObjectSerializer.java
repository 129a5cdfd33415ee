package io.kiln.storage.serializer;

import io.kiln.api.KilnException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;

/// Turns objects into bytes and back, in processes of one application. Thread-safe.
///
/// An object comes back equal and of the same class. Bytes are read only if this application wrote
/// them. Common JDK types, pairs and records have codecs here; plain user classes go through a
/// general library; whatever says itself how it is serialised, and all the rest, through Java
/// serialization.
public final class ObjectSerializer {
  private static final int KEPT_CODECS = 64;

  private final SerializerChoice choice;
  private final ClassLoader applicationLoader;
  private final ArrayBlockingQueue<KryoCodec> idleCodecs = new ArrayBlockingQueue<>(KEPT_CODECS);
  private final ClassValue<ClassPlan> plans =
      new ClassValue<>() {
        @Override
        protected ClassPlan computeValue(Class<?> type) {
          return ClassPlan.of(type, choice);
        }
      };

  /// @param applicationLoader finds the user's classes
  public ObjectSerializer(SerializerChoice choice, ClassLoader applicationLoader) {
    this.choice = choice;
    this.applicationLoader = applicationLoader;
  }

  /// @throws KilnException with code `NOT_SERIALIZABLE`
  public byte[] toBytes(Object value) {
    ByteWriter bytes = new ByteWriter(128);
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

  ClassLoader applicationLoader() {
    return applicationLoader;
  }

  ClassPlan plan(Class<?> type) {
    return plans.get(type);
  }

  void writeByKryo(Object value, ByteWriter out) {
    KryoCodec codec = Optional.ofNullable(idleCodecs.poll()).orElseGet(this::newCodec);
    codec.write(value, out);
    boolean _ = idleCodecs.offer(codec); // one that threw is not used again
  }

  Object readByKryo(byte[] bytes) {
    KryoCodec codec = Optional.ofNullable(idleCodecs.poll()).orElseGet(this::newCodec);
    Object value = codec.read(bytes);
    boolean _ = idleCodecs.offer(codec);
    return value;
  }

  private KryoCodec newCodec() {
    return new KryoCodec(applicationLoader);
  }
}
