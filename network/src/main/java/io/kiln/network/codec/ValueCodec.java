package io.kiln.network.codec;

/// How values of one type are written and read. Immutable; thread-safe.
///
/// @param <T> the type
public interface ValueCodec<T> {
  void write(T value, WireWriter out);

  /// @throws WireFormatException if the bytes are no such value
  T read(WireReader in);

  /// How many bytes a value takes at least. What lies in lists takes at least one, so that no
  /// announced length is larger than its message.
  int minBytes();

  /// The type as the registry's fingerprint has it: two processes that agree on it agree on the
  /// bytes.
  String schema();
}
