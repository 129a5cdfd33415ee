package io.kiln.network.transport;

import io.kiln.network.codec.WireFormatException;

/// What a frame of a connection for messages begins with.
enum FrameKind {
  /// Endpoint, record.
  MESSAGE,
  /// Number, endpoint, record.
  QUESTION,
  /// Number, record.
  ANSWER,
  /// Number, code, kind, text.
  REFUSAL,
  /// Nothing: the sender lives.
  ALIVE;

  private static final FrameKind[] ALL = values();

  static FrameKind of(int number) {
    if (number < 0 || number >= ALL.length) {
      throw new WireFormatException("there is no kind of frame " + number);
    }
    return ALL[number];
  }
}
