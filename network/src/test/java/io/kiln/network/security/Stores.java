package io.kiln.network.security;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/// Key stores, trust stores and PEM files for tests, made by the JDK's `keytool`.
public final class Stores {
  public static final String PASSWORD = "sesame-4711";

  private static final String ENCRYPTION = "PBEWithHmacSHA256AndAES_256";

  private final Path directory;

  public Stores(Path directory) {
    this.directory = directory;
  }

  /// A store with a new key, whose certificate vouches for itself.
  public Path key(String name, String... more) throws IOException, InterruptedException {
    Path file = directory.resolve(name + ".p12");
    List<String> words =
        new ArrayList<>(
            List.of("-genkeypair", "-alias", name, "-dname", "CN=" + name, "-keystore"));
    words.addAll(List.of(file.toString(), "-storepass", PASSWORD));
    if (!List.of(more).contains("-keyalg")) {
      words.addAll(List.of("-keyalg", "EC"));
    }
    words.addAll(List.of(more));
    keytool(words);
    return file;
  }

  /// A store that trusts the certificates of these.
  public Path trust(String name, Path... keys) throws IOException, InterruptedException {
    Path file = directory.resolve(name + ".p12");
    for (Path key : keys) {
      String alias = key.getFileName().toString().replace(".p12", "");
      Path certificate = directory.resolve(alias + ".crt");
      keytool(
          List.of(
              "-exportcert",
              "-rfc",
              "-alias",
              alias,
              "-keystore",
              key.toString(),
              "-storepass",
              PASSWORD,
              "-file",
              certificate.toString()));
      keytool(
          List.of(
              "-importcert",
              "-noprompt",
              "-alias",
              alias,
              "-file",
              certificate.toString(),
              "-keystore",
              file.toString(),
              "-storepass",
              PASSWORD));
    }
    return file;
  }

  private static void keytool(List<String> words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(words);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(said);
    }
  }

  /// The store's certificate as a PEM file.
  public Path pemCertificate(Path store) throws IOException, GeneralSecurityException {
    return pem(store, "crt.pem", "CERTIFICATE", certificate(store).getEncoded());
  }

  /// The store's key as a PEM file.
  public Path pemKey(Path store) throws IOException, GeneralSecurityException {
    return pem(store, "key.pem", "PRIVATE KEY", privateKey(store));
  }

  /// The store's key as a PEM file that is encrypted by the password.
  public Path encryptedPemKey(Path store) throws IOException, GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(ENCRYPTION);
    cipher.init(
        Cipher.ENCRYPT_MODE,
        SecretKeyFactory.getInstance(ENCRYPTION)
            .generateSecret(new PBEKeySpec(PASSWORD.toCharArray())));
    byte[] encrypted = cipher.doFinal(privateKey(store));
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2");
    parameters.init(cipher.getParameters().getEncoded());
    return pem(
        store,
        "encrypted.pem",
        "ENCRYPTED PRIVATE KEY",
        new EncryptedPrivateKeyInfo(parameters, encrypted).getEncoded());
  }

  private static Path pem(Path store, String suffix, String label, byte[] content)
      throws IOException {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        store.resolveSibling(store.getFileName() + "." + suffix),
        "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n");
  }

  private static Certificate certificate(Path store) throws IOException, GeneralSecurityException {
    KeyStore opened = opened(store);
    return opened.getCertificate(opened.aliases().nextElement());
  }

  private static byte[] privateKey(Path store) throws IOException, GeneralSecurityException {
    KeyStore opened = opened(store);
    return opened.getKey(opened.aliases().nextElement(), PASSWORD.toCharArray()).getEncoded();
  }

  private static KeyStore opened(Path store) throws IOException, GeneralSecurityException {
    KeyStore opened = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      opened.load(in, PASSWORD.toCharArray());
    }
    return opened;
  }
}
