package io.kiln.daemon.rest;

/// A request that isn't followed.
final class Refused extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  /// @param status of HTTP
  /// @param why one line, for the client
  Refused(int status, String why) {
    super(why, null, false, false);
    this.status = status;
  }

  /// Of what the client sent.
  static Refused malformed(String why) {
    return new Refused(Answer.BAD_REQUEST, "Malformed request: " + why);
  }

  int status() {
    return status;
  }
}
