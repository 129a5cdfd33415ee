package io.kiln.network.security;

import java.util.Optional;

/// What keeps strangers out of a process's connections. Immutable.
public sealed interface Protection {

  /// Nothing: whoever reaches a port is believed, and everything can be read on the way.
  record None() implements Protection {}

  /// Both sides prove that they know the secret when they meet; what follows can be read, and taken
  /// over, on the way.
  record Proven(byte[] secret) implements Protection {
    @Override
    public String toString() {
      return "Proven[...]";
    }
  }

  /// TLS 1.3 between certificates that nobody verifies, and over it both sides prove that they know
  /// the secret.
  record Encrypted(byte[] secret) implements Protection {
    @Override
    public String toString() {
      return "Encrypted[...]";
    }
  }

  /// TLS with certificates that are verified, and over it the proof of the secret, if there is one.
  record Certified(Certificates certificates, Optional<byte[]> secret) implements Protection {
    @Override
    public String toString() {
      return "Certified[...]";
    }
  }
}
