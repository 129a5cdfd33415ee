package io.kiln.launcher;

/// The user asked for something that cannot be done. The message is one line: what, why, and what
/// to do.
///
/// It is printed without a stack trace, and the process exits with [#EXIT_CODE].
public final class Refusal extends RuntimeException {

  public static final int EXIT_CODE = 1;

  private static final long serialVersionUID = 1;

  public Refusal(String message) {
    super(message, null, false, false);
  }
}
