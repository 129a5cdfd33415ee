package io.kiln.daemon.recovery;

/// A master wanted to keep something, and another leads, or may.
public final class NotLeadingException extends Exception {
  private static final long serialVersionUID = 1L;

  /// @param why one line
  public NotLeadingException(String why) {
    super(why);
  }

  public NotLeadingException(String why, Throwable cause) {
    super(why, cause);
  }
}
