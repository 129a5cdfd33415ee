package io.kiln.driver.closure;

import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/// How the way from a function to something that it holds reads:
/// `map's function captures this (class com.acme.Job) → field connection (com.acme.Connection)`.
final class PathText {
  /// Steps shown at either end of a long way.
  private static final int SHOWN = 4;

  private PathText() {}

  /// The way from the root to `end`.
  static String of(Place end, String operation) {
    List<Place> way = new ArrayList<>();
    for (Place place = end; place != null; place = place.parent()) {
      way.add(place);
    }
    StringBuilder text = new StringBuilder(operation).append("'s ").append(subject(way.getLast()));
    int steps = way.size() - 1;
    for (int i = steps - 1; i >= 0; i--) {
      int number = steps - 1 - i;
      if (number >= SHOWN && i >= SHOWN) {
        if (number == SHOWN) {
          text.append(" → … ").append(steps - 2 * SHOWN).append(" more …");
        }
      } else {
        Place place = way.get(i);
        text.append(step(place.parent().value(), place.value(), place.step(), number == 0));
      }
    }
    return text.toString();
  }

  private static String subject(Place root) {
    Object value = root.value();
    if (KnownTypes.isLambda(value.getClass())) {
      return "function";
    }
    String noun =
        switch (value) {
          case RDD<?> _ -> "RDD";
          case ShuffleDependency<?, ?, ?> _ -> "shuffle";
          case Partition _ -> "partition";
          default -> "function";
        };
    return noun + " (class " + value.getClass().getName() + ")";
  }

  /// A step whose name is not known: looked for among the fields of `parent`.
  static String step(Object parent, Object child) {
    ClassWalk plan = ClassWalk.of(parent.getClass());
    for (Field field : plan.references()) {
      if (ObjectWalk.read(field, parent) == child) {
        return step(parent, child, field, false);
      }
    }
    return " → " + typeName(child);
  }

  private static String step(Object parent, Object child, Object step, boolean first) {
    String arrow = first && KnownTypes.isLambda(parent.getClass()) ? " " : " → ";
    if (KnownTypes.isLambda(parent.getClass())) {
      return arrow + "captures " + captured(parent, child);
    }
    if (!(step instanceof Field field)) {
      return arrow + step + " (" + typeName(child) + ")";
    }
    String name = field.getName();
    if (name.startsWith("this$")) {
      return arrow + "the enclosing this (class " + typeName(child) + ")";
    }
    if (name.startsWith("val$")) {
      return arrow + "variable " + name.substring(4) + " (" + typeName(child) + ")";
    }
    return arrow + "field " + name + " (" + typeName(child) + ")";
  }

  private static String captured(Object lambda, Object child) {
    SerializedLambda form = TrialStream.serialForm(lambda).orElse(null);
    boolean receiver =
        form != null
            && form.getImplMethodKind() != MethodHandleInfo.REF_invokeStatic
            && form.getImplMethodKind() != MethodHandleInfo.REF_newInvokeSpecial
            && form.getCapturedArgCount() > 0
            && form.getCapturedArg(0) == child;
    if (!receiver) {
      return "a variable (" + typeName(child) + ")";
    }
    return form.getImplMethodName().startsWith("lambda$")
        ? "this (class " + typeName(child) + ")"
        : "the object before :: (class " + typeName(child) + ")";
  }

  /// The class, as a user knows it.
  static String typeName(Object value) {
    Class<?> type = value.getClass();
    if (KnownTypes.isLambda(type)) {
      String name = type.getName();
      return "lambda of " + name.substring(0, name.indexOf("$$Lambda"));
    }
    return type.getTypeName();
  }
}
