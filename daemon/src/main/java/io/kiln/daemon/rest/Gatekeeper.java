package io.kiln.daemon.rest;

import io.kiln.http.RequestHead;
import io.kiln.http.SignedClaims;
import io.kiln.http.TokenCheck;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Says which requests are followed: those with a token of the submitters' key that is for this
/// very request, or with one of the key that all share who submit. Thread-safe.
///
/// @param secret empty: no such token is known
/// @param shared empty: likewise; without both, everybody is believed
record Gatekeeper(Optional<TokenCheck> secret, Optional<SignedClaims> shared) {

  /// Before the body is there.
  void requireToken(RequestHead head) throws Refused {
    try {
      if (isNeeded() && !isShared(head)) {
        var _ = secret.orElseThrow().require(TokenCheck.token(head), head);
      }
    } catch (SignedClaims.Refused e) {
      throw refused(e);
    }
  }

  /// Once, when the body is there.
  void useToken(RequestHead head, byte[] body) throws Refused {
    try {
      if (isNeeded() && !isShared(head)) {
        TokenCheck check = secret.orElseThrow();
        check.use(check.require(TokenCheck.token(head), head), body);
      }
    } catch (SignedClaims.Refused e) {
      throw refused(e);
    }
  }

  private boolean isNeeded() {
    return secret.isPresent() || shared.isPresent();
  }

  /// @throws SignedClaims.Refused if it isn't, and may not be anything else
  private boolean isShared(RequestHead head) throws SignedClaims.Refused {
    if (shared.isEmpty()) {
      return false;
    }
    String token = TokenCheck.token(head);
    try {
      Map<String, Object> _ = shared.get().require(token, Instant.now());
      return true;
    } catch (SignedClaims.Refused e) {
      if (secret.isEmpty()) {
        throw e;
      }
      return false;
    }
  }

  private static Refused refused(SignedClaims.Refused why) {
    String message = why.getMessage();
    return new Refused(
        Answer.FORBIDDEN, message.endsWith(".") ? message : "JWT Validate Fail: " + message + ".");
  }
}
