package io.kiln.network.transport;

import io.kiln.api.KilnException;
import io.kiln.network.codec.WireFormatException;

/// Failures in one line.
final class Causes {
  private Causes() {}

  /// What lies under the wrappers of a decoder or a future.
  static String line(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && !speaksForItself(cause)) {
      cause = cause.getCause();
    }
    String text = speaksForItself(cause) ? cause.getMessage() : cause.toString();
    return text.replace('\n', ' ');
  }

  private static boolean speaksForItself(Throwable failure) {
    return failure instanceof KilnException || failure instanceof WireFormatException;
  }
}
