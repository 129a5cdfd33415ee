package io.kiln.network.security;

import java.util.Optional;
import java.util.function.Function;

/// By what a process proves who it is, and whom it believes. Immutable.
///
/// @param own shows that this process is who it introduces itself as
/// @param others by the name under which another introduces itself, what tells whether it is that
/// one; empty: nobody of that name has anything to do here
public record Credentials(Prover own, Function<String, Optional<Verifier>> others) {

  /// Of processes that believe each other whatever they call themselves.
  public static Credentials ofAll(byte[] secret) {
    SharedKey key = new SharedKey(secret.clone());
    return new Credentials(key, _ -> Optional.of(key));
  }

  @Override
  public String toString() {
    return "Credentials[...]";
  }
}
