package io.kiln.storage.compression;

import java.util.concurrent.ArrayBlockingQueue;
import javax.crypto.spec.SecretKeySpec;

/// The key of an application, by which its processes encrypt what they store, or that they don't.
/// Immutable; thread-safe. Never shown.
public final class FrameKey {
  /// Nothing is encrypted.
  public static final FrameKey NONE = new FrameKey(null);

  private static final int KEPT_CIPHERS = 64;

  private final SecretKeySpec key;
  private final ArrayBlockingQueue<FrameCipher> idle = new ArrayBlockingQueue<>(KEPT_CIPHERS);

  private FrameKey(SecretKeySpec key) {
    this.key = key;
  }

  /// @param bytes 16, 24 or 32 random ones
  public static FrameKey of(byte[] bytes) {
    if (bytes.length != 16 && bytes.length != 24 && bytes.length != 32) {
      throw new IllegalArgumentException("a key has 16, 24 or 32 bytes, not " + bytes.length);
    }
    return new FrameKey(new SecretKeySpec(bytes, "AES"));
  }

  boolean encrypts() {
    return key != null;
  }

  /// For one frame; to be given back.
  FrameCipher take() {
    FrameCipher cipher = idle.poll();
    return cipher == null ? new FrameCipher(key) : cipher;
  }

  void giveBack(FrameCipher cipher) {
    boolean _ = idle.offer(cipher);
  }

  @Override
  public String toString() {
    return key == null ? "no key" : "a key of " + key.getEncoded().length * 8 + " bits";
  }
}
