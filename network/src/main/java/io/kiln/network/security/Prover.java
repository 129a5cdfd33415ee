package io.kiln.network.security;

/// Shows that its holder is who it says, by a proof that [Verifier]s of others believe.
/// Thread-safe.
@FunctionalInterface
public interface Prover {
  /// @param statement what is proved, of one connection and no other
  /// @return [Proof#BYTES] long
  byte[] prove(byte[] statement);
}
