package io.kiln.network.security;

import io.kiln.network.security.CertificateLoader.Identity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/// A file of keys or certificates as `keytool` makes them. Immutable.
///
/// @param type as Java names it; without, JKS or PKCS12, whichever it is
record StoreFile(Path file, Optional<String> type, Optional<String> password) {

  /// What is wrong with a store.
  enum Fault {
    FILE,
    TYPE,
    PASSWORD,
    KEY_PASSWORD,
    CONTENT
  }

  /// Says in one line why a store can't be used.
  static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    private final Fault fault;

    Unusable(Fault fault, String why, Throwable cause) {
      super(why, cause);
      this.fault = fault;
    }

    Fault fault() {
      return fault;
    }
  }

  @Override
  public String toString() {
    return file.toString();
  }

  /// The key in it whose certificate ends last.
  Identity identity(Optional<String> keyPassword) throws Unusable {
    KeyStore store = open();
    Identity best = null;
    try {
      for (String alias : Collections.list(store.aliases())) {
        if (store.isKeyEntry(alias)) {
          Identity identity = identity(store, alias, keyPassword);
          if (best == null || identity.end().isAfter(best.end())) {
            best = identity;
          }
        }
      }
    } catch (GeneralSecurityException e) {
      throw new Unusable(Fault.CONTENT, line(e), e);
    }
    if (best == null) {
      throw new Unusable(Fault.CONTENT, "there is no private key with a certificate in it", null);
    }
    return best;
  }

  private Identity identity(KeyStore store, String alias, Optional<String> keyPassword)
      throws Unusable, GeneralSecurityException {
    char[] opening = keyPassword.or(() -> password).orElse("").toCharArray();
    List<X509Certificate> chain = new ArrayList<>();
    Certificate[] certificates = store.getCertificateChain(alias);
    for (Certificate each : certificates == null ? new Certificate[0] : certificates) {
      chain.add((X509Certificate) each);
    }
    try {
      if (!chain.isEmpty() && store.getKey(alias, opening) instanceof PrivateKey key) {
        return new Identity(key, chain);
      }
    } catch (UnrecoverableKeyException e) {
      throw new Unusable(Fault.KEY_PASSWORD, "the password of its key " + alias + " is another", e);
    }
    throw new Unusable(
        Fault.CONTENT, "its " + alias + " is no private key with a certificate", null);
  }

  /// Believes what the store's certificates vouch for.
  X509ExtendedTrustManager trust() throws Unusable {
    KeyStore store = open();
    try {
      boolean some = false;
      for (String alias : Collections.list(store.aliases())) {
        some |= store.isCertificateEntry(alias);
      }
      if (!some) {
        throw new Unusable(
            Fault.CONTENT, "there is no certificate in it that is trusted by itself", null);
      }
      return trusting(store);
    } catch (KeyStoreException e) {
      throw new Unusable(Fault.CONTENT, line(e), e);
    }
  }

  /// Believes what the certificates vouch for.
  static X509ExtendedTrustManager trusting(List<X509Certificate> certificates) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (int i = 0; i < certificates.size(); i++) {
        store.setCertificateEntry("certificate-" + i, certificates.get(i));
      }
      return trusting(store);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e); // nothing is read or encrypted
    }
  }

  private static X509ExtendedTrustManager trusting(KeyStore store) {
    try {
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509ExtendedTrustManager trust) {
          return trust;
        }
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every JVM has it, and there are certificates
    }
    throw new IllegalStateException("this JVM verifies no certificates");
  }

  private KeyStore open() throws Unusable {
    String name = type.orElse("JKS"); // the JDK's reads PKCS12 as well
    KeyStore store;
    try {
      store = KeyStore.getInstance(name);
    } catch (KeyStoreException e) {
      throw new Unusable(Fault.TYPE, "this JVM knows no type of store " + name, e);
    }
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, password.map(String::toCharArray).orElse(null));
      return store;
    } catch (IOException e) {
      throw unreadable(name, e);
    } catch (GeneralSecurityException e) {
      throw new Unusable(Fault.CONTENT, line(e), e);
    }
  }

  private Unusable unreadable(String name, IOException failure) {
    if (failure instanceof FileSystemException) {
      return new Unusable(Fault.FILE, line(failure), failure);
    }
    if (failure.getCause() instanceof UnrecoverableKeyException) {
      return new Unusable(
          Fault.PASSWORD,
          password.isPresent() ? "its password is another" : "its password is not given",
          failure);
    }
    return new Unusable(
        Fault.TYPE, "it is no store of type " + name + " (" + line(failure) + ")", failure);
  }

  /// What lies at the bottom of a failure.
  static String line(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String text = cause.getMessage();
    String line;
    if (cause instanceof NoSuchFileException) {
      line = "there is no such file";
    } else if (cause instanceof AccessDeniedException) {
      line = "this process may not read it";
    } else {
      line = text == null ? cause.toString() : text;
    }
    return line.replace('\n', ' ');
  }
}
