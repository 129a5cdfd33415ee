package io.kiln.driver.closure;

/// What [ClosureInspector] found.
public sealed interface Inspection {

  /// All that it holds is known to be immutable: the tasks of one process may use one instance.
  record Shareable() implements Inspection {}

  /// It can be serialised, and each task needs a copy of its own.
  ///
  /// @param why the path of fields to the first thing that is not known to be immutable
  record CopyPerTask(String why) implements Inspection {}

  /// It can't be serialised.
  ///
  /// @param why one line: the path of fields to the culprit, its class, and what to do
  record NotSerializable(String why) implements Inspection {}
}
