package io.kiln.base.closure;

import java.lang.invoke.SerializedLambda;
import java.util.Collection;
import java.util.List;

/// Variables that a program's functions use without holding them, and that other processes have
/// not: those typed in a shell, which are static fields of classes made for them. The loader of
/// such a program implements it. Thread-safe.
public interface ProgramVariables {

  /// One of them, as it is now.
  ///
  /// @param className of the class that has the static field
  record Variable(String className, String name, Object value) {}

  /// What some functions and objects use, and all that they call.
  ///
  /// @param classes of the objects
  List<Variable> usedBy(Collection<SerializedLambda> functions, Collection<Class<?>> classes);
}
