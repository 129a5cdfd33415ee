package io.kiln.network.security;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/// Keys and certificates in the textual encoding of RFC 7468.
final class PemFile {
  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final String DASHES = "-----";
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String KEY = "PRIVATE KEY";
  private static final String ENCRYPTED_KEY = "ENCRYPTED PRIVATE KEY";
  private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

  /// One of a file's parts.
  private record Part(String label, byte[] content) {}

  private PemFile() {}

  /// The file's certificates, in its order.
  ///
  /// @throws GeneralSecurityException if it has none, or what says that it is one isn't
  static List<X509Certificate> certificates(Path file)
      throws IOException, GeneralSecurityException {
    List<X509Certificate> certificates = new ArrayList<>();
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    for (Part part : parts(file)) {
      if (part.label.equals(CERTIFICATE)) {
        certificates.add(
            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(part.content)));
      }
    }
    if (certificates.isEmpty()) {
      throw new CertificateException("there is no " + BEGIN + CERTIFICATE + DASHES + " in it");
    }
    return certificates;
  }

  /// The file's key.
  ///
  /// @throws GeneralSecurityException if it has none that can be read
  static PrivateKey key(Path file, Optional<String> password)
      throws IOException, GeneralSecurityException {
    for (Part part : parts(file)) {
      switch (part.label) {
        case KEY -> {
          return key(new PKCS8EncodedKeySpec(part.content));
        }
        case ENCRYPTED_KEY -> {
          return key(decrypted(part.content, password));
        }
        case "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY" ->
            throw new InvalidKeySpecException(
                "its key is not in PKCS #8; convert it by openssl pkcs8 -topk8");
        default -> {} // parameters, certificates
      }
    }
    throw new InvalidKeySpecException("there is no " + BEGIN + KEY + DASHES + " in it");
  }

  private static PKCS8EncodedKeySpec decrypted(byte[] content, Optional<String> password)
      throws IOException, GeneralSecurityException {
    if (password.isEmpty()) {
      throw new InvalidKeySpecException("its key is encrypted, and no password is given");
    }
    EncryptedPrivateKeyInfo encrypted = new EncryptedPrivateKeyInfo(content);
    // of RFC 8018's second scheme, the parameters alone say which ciphers it is made of
    String algorithm =
        encrypted.getAlgName().equals("PBES2")
            ? encrypted.getAlgParameters().toString()
            : encrypted.getAlgName();
    SecretKey key =
        SecretKeyFactory.getInstance(algorithm)
            .generateSecret(new PBEKeySpec(password.get().toCharArray()));
    Cipher cipher = Cipher.getInstance(algorithm);
    cipher.init(Cipher.DECRYPT_MODE, key, encrypted.getAlgParameters());
    try {
      return encrypted.getKeySpec(cipher);
    } catch (InvalidKeySpecException e) {
      throw new InvalidKeySpecException("its password is another"); // what e says is of padding
    }
  }

  private static PrivateKey key(PKCS8EncodedKeySpec encoded) throws GeneralSecurityException {
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
      } catch (InvalidKeySpecException e) {
        // of another algorithm
      }
    }
    throw new InvalidKeySpecException(
        "its key is none of " + String.join(", ", KEY_ALGORITHMS) + ", or damaged");
  }

  private static List<Part> parts(Path file) throws IOException, GeneralSecurityException {
    List<Part> parts = new ArrayList<>();
    String label = "";
    StringBuilder content = new StringBuilder();
    for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
      String text = line.strip();
      if (text.startsWith(BEGIN) && text.endsWith(DASHES)) {
        label = text.substring(BEGIN.length(), text.length() - DASHES.length());
        content.setLength(0);
      } else if (text.startsWith(END)) {
        parts.add(new Part(label, decoded(content, label)));
        label = "";
      } else if (!label.isEmpty()) {
        content.append(text);
      }
    }
    return parts;
  }

  private static byte[] decoded(StringBuilder content, String label)
      throws GeneralSecurityException {
    try {
      return Base64.getDecoder().decode(content.toString());
    } catch (IllegalArgumentException e) {
      throw new InvalidKeySpecException("its " + label + " is damaged: " + e.getMessage());
    }
  }
}
