package io.kiln.network.security;

/// Tells whether a proof is that of a [Prover]. Thread-safe.
@FunctionalInterface
public interface Verifier {
  /// @param proof as the other side sent it: may be anything, [Proof#BYTES] long
  boolean believes(byte[] statement, byte[] proof);
}
