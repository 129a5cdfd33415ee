package io.kiln.driver.closure;

import io.kiln.api.KilnException;
import io.kiln.base.closure.ClosureSerializer;

/// Looks at what functions and lineage nodes hold. Stateless; thread-safe.
public final class ClosureInspector {

  private ClosureInspector() {}

  /// Walks everything that `root` reaches.
  ///
  /// @param root a function, a lineage node, a partition
  /// @param operation what the user called, such as `map`; begins the path of an obstacle
  public static Inspection inspect(Object root, String operation) {
    try {
      ClosureSerializer.serialize(root);
      return new Inspection.CopyPerTask(operation + "'s function");
    } catch (KilnException e) {
      return new Inspection.NotSerializable(e.getMessage());
    }
  }

  /// Fails if `root` can't be serialised.
  ///
  /// @return whether it is shareable
  /// @throws KilnException `CLOSURE_NOT_SERIALIZABLE`, with the path of fields to the culprit
  public static boolean check(Object root, String operation) {
    ClosureSerializer.serialize(root);
    return inspect(root, operation) instanceof Inspection.Shareable;
  }
}
