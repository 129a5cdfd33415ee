package io.kiln.base.closure;

import io.kiln.api.KilnException;
import io.kiln.api.spi.CurrentTask;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.closure.ProgramVariables.Variable;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/// An object and the values of the variables that it needs, to be put where it is restored.
///
/// @param root serialised
record WithVariables(List<SavedVariable> variables, byte[] root) implements Serializable {

  /// @param value serialised
  record SavedVariable(String className, String name, byte[] value) implements Serializable {}

  /// @throws KilnException as [ClosureSerializer#serializeVariable], naming the variable
  static WithVariables of(List<Variable> variables, byte[] root) {
    List<SavedVariable> saved = new ArrayList<>();
    for (Variable variable : variables) {
      saved.add(new SavedVariable(variable.className(), variable.name(), save(variable)));
    }
    return new WithVariables(saved, root);
  }

  private static byte[] save(Variable variable) {
    try {
      return ClosureSerializer.serializeVariable(variable.value());
    } catch (KilnException e) {
      throw new KilnException(
          e.code(),
          e.kind(),
          "a task uses the variable " + variable.name() + ": " + e.getMessage(),
          e);
    }
  }

  /// Gives the variables their values, which all tasks of the process use, and then restores the
  /// object.
  ///
  /// @param classes those that have them, too
  Object restore(ApplicationClasses classes) throws ReflectiveOperationException {
    for (SavedVariable variable : variables) {
      Field field =
          Class.forName(variable.className(), true, classes.loader())
              .getDeclaredField(variable.name());
      field.setAccessible(true);
      try (CurrentTask.Suspended _ = CurrentTask.suspend()) {
        field.set(null, ClosureSerializer.deserialize(variable.value(), classes));
      }
    }
    return ClosureSerializer.deserialize(root, classes);
  }
}
