package io.kiln.network.transport;

import io.kiln.api.KilnException;
import io.kiln.network.codec.WireFormatException;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;

/// Failures in one line.
final class Causes {
  private static final int MAX_LENGTH = 300;

  private Causes() {}

  /// What lies under the wrappers of a decoder or a future.
  static String line(Throwable failure) {
    Throwable cause = failure;
    boolean ofCertificate = false;
    while (cause.getCause() != null && !speaksForItself(cause)) {
      ofCertificate |= cause instanceof CertificateException;
      cause = cause.getCause();
    }
    if (ofCertificate || cause instanceof CertificateException) {
      return "its certificate is not to be believed: " + shortened(cause.getMessage());
    }
    if (cause instanceof NotSslRecordException) {
      return "what it sends is no TLS"; // its own message has all the bytes
    }
    if (cause instanceof ClosedChannelException) {
      return "the other side closed the connection";
    }
    String text = speaksForItself(cause) ? cause.getMessage() : cause.toString();
    return shortened(text);
  }

  private static String shortened(String text) {
    return (text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text)
        .replace('\n', ' ');
  }

  /// An address as users write them.
  static String text(SocketAddress address) {
    return address instanceof InetSocketAddress internet && internet.getAddress() != null
        ? new NodeAddress(internet.getAddress().getHostAddress(), internet.getPort()).toString()
        : String.valueOf(address);
  }

  private static boolean speaksForItself(Throwable failure) {
    return failure instanceof KilnException || failure instanceof WireFormatException;
  }
}
