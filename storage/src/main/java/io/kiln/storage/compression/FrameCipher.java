package io.kiln.storage.compression;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Encrypts frames by AES in Galois/Counter Mode (NIST SP 800-38D): a nonce of 12 bytes, the
/// encrypted bytes, a tag of 16. The frame's header is authenticated along with them. Used by one
/// thread at a time.
///
/// Nonces count up from a random beginning of 96 bits: with each cipher object its own, two of them
/// meet with a probability that doesn't matter, however many processes share the key.
final class FrameCipher {
  static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;

  /// What a frame has more than its content.
  static final int OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES;

  private final SecretKeySpec key;
  private final Cipher cipher;
  private final byte[] nonce = new byte[NONCE_BYTES];

  FrameCipher(SecretKeySpec key) {
    this.key = key;
    try {
      this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
    new SecureRandom().nextBytes(nonce);
  }

  /// @param target begins with the frame's header, of `headerLength` bytes; gets nonce, encrypted
  /// bytes and tag behind it
  void encrypt(byte[] source, int offset, int length, byte[] target, int headerLength) {
    try {
      countUp();
      cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(8 * TAG_BYTES, nonce));
      cipher.updateAAD(target, 0, headerLength);
      System.arraycopy(nonce, 0, target, headerLength, NONCE_BYTES);
      int _ = cipher.doFinal(source, offset, length, target, headerLength + NONCE_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // key, nonce and room are right
    }
  }

  private void countUp() {
    for (int i = NONCE_BYTES - 1; i >= 0; i--) {
      if (++nonce[i] != 0) {
        return;
      }
    }
  }

  /// @param source nonce, encrypted bytes and tag
  /// @throws IOException if they aren't what was written with this key
  void decrypt(byte[] header, byte[] source, int length, byte[] target, int offset)
      throws IOException {
    try {
      cipher.init(
          Cipher.DECRYPT_MODE, key, new GCMParameterSpec(8 * TAG_BYTES, source, 0, NONCE_BYTES));
      cipher.updateAAD(header);
      int _ = cipher.doFinal(source, NONCE_BYTES, length - NONCE_BYTES, target, offset);
    } catch (AEADBadTagException e) {
      throw new IOException("the stored bytes were changed, or encrypted with another key", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // key, nonce and room are right
    }
  }
}
