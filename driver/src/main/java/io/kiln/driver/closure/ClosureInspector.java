package io.kiln.driver.closure;

import io.kiln.api.KilnException;

/// Looks at what functions and lineage nodes hold. Stateless; thread-safe.
public final class ClosureInspector {

  private ClosureInspector() {}

  /// Walks everything that `root` reaches.
  ///
  /// @param root a function, a lineage node, a partition
  /// @param operation what the user called, such as `map`; begins the path of an obstacle
  public static Inspection inspect(Object root, String operation) {
    throw new UnsupportedOperationException("inspect");
  }

  /// Fails if `root` can't be serialised.
  ///
  /// @return whether it is shareable
  /// @throws KilnException `CLOSURE_NOT_SERIALIZABLE`, with the path of fields to the culprit
  public static boolean check(Object root, String operation) {
    throw new UnsupportedOperationException("check");
  }
}
