package io.kiln.network.security;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// A key that both sides know, shown by HMAC-SHA512: whoever can believe such a proof can make one.
/// Immutable.
public record SharedKey(byte[] secret) implements Prover, Verifier {
  private static final String ALGORITHM = "HmacSHA512";

  @Override
  public byte[] prove(byte[] statement) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      return mac.doFinal(statement);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }

  /// Compares in a time that doesn't depend on the content.
  @Override
  public boolean believes(byte[] statement, byte[] proof) {
    return MessageDigest.isEqual(prove(statement), proof);
  }

  @Override
  public String toString() {
    return "SharedKey[...]";
  }
}
