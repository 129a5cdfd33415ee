package io.kiln.driver.closure;

import io.kiln.api.KilnException;
import io.kiln.base.closure.ClosureSerializer;
import java.lang.reflect.Field;

/// Looks at what functions, lineage nodes and partitions hold: whether all tasks of a process may
/// share one instance, and whether they can be serialised at all.
///
/// Shareable is what is known to be immutable with all that it reaches: the JDK's values, enums,
/// lambdas, records, objects with only final fields that run no code of their own when they are
/// written or read, the JDK's immutable collections, empty arrays, broadcasts, and the engine's own
/// lineage nodes ([ClassWalk] has the rule). Anything else is copied for each task.
///
/// What a walk by reflection can't see, inside the JDK and in classes that decide themselves what
/// they write, is found out by writing it to nowhere; all else is not serialised here.
///
/// Stateless but for a cache a class; thread-safe. A function that captures nothing costs one
/// look-up.
public final class ClosureInspector {
  private static final Inspection SHAREABLE = new Inspection.Shareable();

  private ClosureInspector() {}

  /// Walks everything that `root` reaches.
  ///
  /// @param root a function, a lineage node, a partition
  /// @param operation what the user called, such as `map`; begins the path of an obstacle
  public static Inspection inspect(Object root, String operation) {
    if (isPlainlyShareable(root)) {
      return SHAREABLE;
    }
    ObjectWalk walk = new ObjectWalk();
    walk.run(root);
    if (walk.obstacle() != null) {
      return new Inspection.NotSerializable(describe(walk.obstacle(), operation));
    }
    return walk.firstMutable() == null
        ? SHAREABLE
        : new Inspection.CopyPerTask(PathText.of(walk.firstMutable(), operation));
  }

  /// Fails if `root` can't be serialised.
  ///
  /// @return whether it is shareable
  /// @throws KilnException `CLOSURE_NOT_SERIALIZABLE`, with the path of fields to the culprit
  public static boolean check(Object root, String operation) {
    if (isPlainlyShareable(root)) {
      return true;
    }
    ObjectWalk walk = new ObjectWalk();
    walk.run(root);
    if (walk.obstacle() != null) {
      throw new KilnException(
          ClosureSerializer.NOT_SERIALIZABLE,
          KilnException.Kind.USER,
          describe(walk.obstacle(), operation));
    }
    return walk.firstMutable() == null;
  }

  /// The common cases, without a walk: nothing captured, or only what needs no walk.
  private static boolean isPlainlyShareable(Object root) {
    ClassWalk plan = ClassWalk.of(root.getClass());
    if (plan.shape() == ClassWalk.Shape.IMMUTABLE) {
      return true;
    }
    if (plan.isMutable()
        || (plan.shape() != ClassWalk.Shape.LAMBDA && plan.shape() != ClassWalk.Shape.FIELDS)) {
      return false;
    }
    for (Field field : plan.references()) {
      Object value = ObjectWalk.read(field, root);
      if (value != null && ClassWalk.of(value.getClass()).shape() != ClassWalk.Shape.IMMUTABLE) {
        return false;
      }
    }
    return true;
  }

  private static String describe(ObjectWalk.Obstacle obstacle, String operation) {
    return PathText.of(obstacle.place(), operation) + obstacle.inside() + ": " + obstacle.why();
  }
}
