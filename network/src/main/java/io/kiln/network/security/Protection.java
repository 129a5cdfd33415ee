package io.kiln.network.security;

import java.util.Optional;

/// What keeps strangers out of a process's connections. Immutable.
public sealed interface Protection {

  /// Nothing: whoever reaches a port is believed, and everything can be read on the way.
  record None() implements Protection {}

  /// Both sides prove who they are when they meet; what follows can be read, and taken
  /// over, on the way.
  record Proven(Credentials credentials) implements Protection {
    @Override
    public String toString() {
      return "Proven[...]";
    }
  }

  /// TLS 1.3 between certificates that nobody verifies, and over it both sides prove who they
  /// are.
  record Encrypted(Credentials credentials) implements Protection {
    @Override
    public String toString() {
      return "Encrypted[...]";
    }
  }

  /// TLS with certificates that are verified, and over it the same proof, if there is a secret.
  record Certified(Certificates certificates, Optional<Credentials> credentials)
      implements Protection {
    @Override
    public String toString() {
      return "Certified[...]";
    }
  }
}
