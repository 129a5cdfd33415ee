package io.kiln.submit.shell;

import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import io.kiln.base.closure.ProgramVariables;
import io.kiln.submit.shell.TypedCode.VariableName;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Field;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Finds the classes that were typed, after those of the JDK, of the API and of the jars that the
/// shell was started with. The program's loader for the context, so tasks ask it too; executors of
/// their own are sent the class files, and the variables that their tasks use. Thread-safe.
///
/// It has no name, since a stack trace would put the name before each of the program's frames.
final class ShellLoader extends ClassLoader implements ProgramVariables {
  static {
    registerAsParallelCapable();
  }

  private static final String CLASS_FILE = ".class";

  private final ShellClasses classes;

  /// @param application finds the jars of `--jars` and what an application may see
  ShellLoader(ShellClasses classes, ClassLoader application) {
    super(application);
    this.classes = classes;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] classFile =
        classes.findClassBytes(name).orElseThrow(() -> new ClassNotFoundException(name));
    return defineClass(name, classFile, 0, classFile.length);
  }

  /// What the class files are read by that executors ask for.
  @Override
  protected URL findResource(String name) {
    if (!name.endsWith(CLASS_FILE)) {
      return null;
    }
    String className = name.substring(0, name.length() - CLASS_FILE.length()).replace('/', '.');
    return classes
        .findClassBytes(className)
        .map(bytes -> ClassFileUrl.of(name, bytes))
        .orElse(null);
  }

  @Override
  public List<Variable> usedBy(
      Collection<SerializedLambda> functions, Collection<Class<?>> objects) {
    TypedCode code = new TypedCode(classes);
    for (SerializedLambda function : functions) {
      code.addMethod(
          function.getImplClass(), function.getImplMethodName(), function.getImplMethodSignature());
    }
    for (Class<?> type : objects) {
      code.addClass(type.getName().replace('.', '/'));
    }
    List<Variable> used = new ArrayList<>();
    for (VariableName variable : code.variables()) {
      Variable found = find(variable);
      if (!isOfDriver(found.value())) {
        used.add(found);
      }
    }
    return used;
  }

  private Variable find(VariableName variable) {
    String owner = variable.owner().replace('/', '.');
    try {
      Field field = loadClass(owner).getDeclaredField(variable.name());
      field.setAccessible(true);
      return new Variable(owner, variable.name(), field.get(null));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(variable.toString(), e);
    }
  }

  /// A method that a task may call can use these in a way that no task does.
  private static boolean isOfDriver(Object value) {
    return value instanceof KilnContext || value instanceof RDD<?>;
  }
}
