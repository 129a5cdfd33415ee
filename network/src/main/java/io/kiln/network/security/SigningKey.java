package io.kiln.network.security;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;

/// A key that one side alone knows, shown by signatures (Ed25519, RFC 8032): who can believe them
/// can't make them. Immutable, thread-safe.
public final class SigningKey implements Prover {
  private static final String ALGORITHM = "Ed25519";
  private static final int SEED_BYTES = 32;

  private final PrivateKey own;
  private final PublicKey shown;

  private SigningKey(KeyPair pair) {
    this.own = pair.getPrivate();
    this.shown = pair.getPublic();
  }

  /// The same for the same seed.
  ///
  /// @param seed secret, 32 bytes
  public static SigningKey of(byte[] seed) {
    if (seed.length != SEED_BYTES) {
      throw new IllegalArgumentException("a seed has " + SEED_BYTES + " bytes");
    }
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
      generator.initialize(NamedParameterSpec.ED25519, new Seed(seed));
      return new SigningKey(generator.generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every JDK since 15 has it
    }
  }

  /// What others believe it by; no secret.
  public byte[] publicKey() {
    return shown.getEncoded();
  }

  @Override
  public byte[] prove(byte[] statement) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(own);
      signature.update(statement);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Believes the holder of the key.
  ///
  /// @param publicKey as [#publicKey] gives it
  /// @throws IllegalArgumentException if it is none
  public static Verifier verifier(byte[] publicKey) {
    try {
      PublicKey key =
          KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(publicKey));
      return (statement, proof) -> isSigned(key, statement, proof);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("it is no public key: " + e.getMessage(), e);
    }
  }

  private static boolean isSigned(PublicKey key, byte[] statement, byte[] proof) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initVerify(key);
      signature.update(statement);
      return signature.verify(proof);
    } catch (GeneralSecurityException e) {
      return false; // the proof has no such form
    }
  }

  /// The JDK takes a private key of this kind as the random bytes that it asks for.
  private static final class Seed extends SecureRandom {
    private static final long serialVersionUID = 1L;

    private final transient byte[] seed;

    Seed(byte[] seed) {
      this.seed = seed.clone();
    }

    @Override
    public void nextBytes(byte[] bytes) {
      if (bytes.length != seed.length) {
        throw new IllegalStateException("a seed of " + bytes.length + " bytes was asked for");
      }
      System.arraycopy(seed, 0, bytes, 0, bytes.length);
    }
  }
}
