package io.kiln.recovery.zookeeper;

import io.kiln.api.KilnException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Keeps what is given to ZooKeeper from everybody who lacks the cluster's secret: entries hold the
/// secrets of applications. AES-256 in Galois/counter mode (NIST SP 800-38D), a random nonce of 12
/// bytes before each text, bound to the entry's key. Immutable; thread-safe.
final class Seal {
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final Optional<SecretKeySpec> key;
  private final Optional<String> password;
  private final SecureRandom random = new SecureRandom();

  /// @param secret without one, nothing is sealed
  Seal(Optional<byte[]> secret) {
    key = secret.map(s -> new SecretKeySpec(derive(s, "kiln zookeeper entries"), "AES"));
    password =
        secret.map(s -> Base64.getEncoder().encodeToString(derive(s, "kiln zookeeper access")));
  }

  private static byte[] derive(byte[] secret, String purpose) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return mac.doFinal(purpose.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }

  /// By which masters show ZooKeeper that they may write. It says nothing of the secret.
  Optional<String> password() {
    return password;
  }

  byte[] close(String entryKey, byte[] text) {
    if (key.isEmpty()) {
      return text;
    }
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, entryKey).doFinal(text);
      return ByteBuffer.allocate(NONCE_BYTES + sealed.length).put(nonce).put(sealed).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// @throws KilnException `RECOVERY_UNUSABLE` if it was not sealed with this secret, for this key
  byte[] open(String entryKey, byte[] sealed) {
    if (key.isEmpty()) {
      return sealed;
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(sealed);
      byte[] nonce = new byte[Math.min(NONCE_BYTES, bytes.remaining())];
      bytes.get(nonce);
      byte[] text = new byte[bytes.remaining()];
      bytes.get(text);
      return cipher(Cipher.DECRYPT_MODE, nonce, entryKey).doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new KilnException(
          "RECOVERY_UNUSABLE",
          KilnException.Kind.USER,
          "what ZooKeeper keeps as "
              + entryKey
              + " was not written with this cluster's secret; give all masters the same, or"
              + " another spark.deploy.zookeeper.dir",
          e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce, String entryKey) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key.orElseThrow(), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(entryKey.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }
}
