package io.kiln.storage.serializer;

/// Turns objects into bytes and back, in processes of one application. Thread-safe.
///
/// An object comes back equal and of the same class. Bytes are read only if this application wrote
/// them.
@SuppressWarnings("DoNotCallSuggester") // until the bodies arrive
public final class ObjectSerializer {
  private final SerializerChoice choice;
  private final ClassLoader applicationLoader;

  /// @param applicationLoader finds the user's classes
  public ObjectSerializer(SerializerChoice choice, ClassLoader applicationLoader) {
    this.choice = choice;
    this.applicationLoader = applicationLoader;
  }

  /// @throws io.kiln.api.KilnException with code `NOT_SERIALIZABLE`
  public byte[] toBytes(Object value) {
    throw new UnsupportedOperationException(choice + " " + value);
  }

  public Object fromBytes(byte[] bytes) {
    throw new UnsupportedOperationException(applicationLoader + " " + bytes.length);
  }
}
