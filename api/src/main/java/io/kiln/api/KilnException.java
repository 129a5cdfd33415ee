package io.kiln.api;

/// The one exception of the engine. Its message is one line, which says what failed, why, and what
/// to do.
public final class KilnException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// Says whose fault it is. That decides what is retried, and with which code a process ends.
  public enum Kind {
    /// What the user asked for can't be done: an option, a setting, a path, a call.
    USER,
    /// The application's own code failed.
    APPLICATION,
    /// Memory, disk, slots or time ran out.
    RESOURCES,
    /// Another system failed.
    EXTERNAL,
    /// A bug of the engine.
    INTERNAL
  }

  private final String code;
  private final Kind kind;

  /// @param code never changes; it is in capitals and underscores, such as `INPUT_PATH_MISSING`
  public KilnException(String code, Kind kind, String message) {
    this(code, kind, message, null);
  }

  public KilnException(String code, Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.kind = kind;
  }

  public String code() {
    return code;
  }

  public Kind kind() {
    return kind;
  }
}
