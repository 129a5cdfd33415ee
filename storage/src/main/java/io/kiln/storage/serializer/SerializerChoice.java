package io.kiln.storage.serializer;

import io.kiln.api.KilnException;

/// What writes records where the user may choose (`spark.serializer`).
public enum SerializerChoice {
  /// Own codecs for common types, then the general library, then Java's.
  KILN,
  /// The general library for all that it can do, then Java's.
  KRYO,
  /// Always Java's.
  JAVA;

  /// @param setting a value of `spark.serializer`; empty for the default
  /// @throws KilnException with code `SERIALIZER_UNKNOWN`
  public static SerializerChoice fromSetting(String setting) {
    return switch (setting.trim()) {
      case "", "kiln" -> KILN;
      case "org.apache.spark.serializer.KryoSerializer" -> KRYO;
      case "org.apache.spark.serializer.JavaSerializer" -> JAVA;
      default ->
          throw new KilnException(
              "SERIALIZER_UNKNOWN",
              KilnException.Kind.USER,
              "serializer '"
                  + setting
                  + "' is not available; leave spark.serializer out, or set it to"
                  + " org.apache.spark.serializer.KryoSerializer or"
                  + " org.apache.spark.serializer.JavaSerializer");
    };
  }
}
