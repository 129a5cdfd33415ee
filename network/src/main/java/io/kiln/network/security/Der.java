package io.kiln.network.security;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// The few forms of DER (ITU-T X.690) that a certificate is made of.
final class Der {
  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return encoded(0x30, joined(parts));
  }

  static byte[] set(byte[]... parts) {
    return encoded(0x31, joined(parts));
  }

  /// @param value from 0 to 127
  static byte[] integer(int value) {
    return encoded(0x02, new byte[] {(byte) value});
  }

  /// @param content the identifier's own encoding
  static byte[] oid(int... content) {
    byte[] bytes = new byte[content.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) content[i];
    }
    return encoded(0x06, bytes);
  }

  static byte[] utf8String(String text) {
    return encoded(0x0C, text.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] generalizedTime(String text) {
    return encoded(0x18, text.getBytes(StandardCharsets.US_ASCII));
  }

  /// Of whole bytes.
  static byte[] bitString(byte[] content) {
    return encoded(0x03, joined(new byte[] {0}, content));
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /// @param content shorter than 64 KiB
  private static byte[] encoded(int tag, byte[] content) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(tag);
    int length = content.length;
    if (length < 0x80) {
      all.write(length);
    } else if (length < 0x100) {
      all.write(0x81);
      all.write(length);
    } else {
      all.write(0x82);
      all.write(length >>> 8);
      all.write(length);
    }
    all.writeBytes(content);
    return all.toByteArray();
  }
}
