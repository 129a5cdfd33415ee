package io.kiln.executor;

/// A task's result can't go to the driver; another attempt would give the same.
final class ResultRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  ResultRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
