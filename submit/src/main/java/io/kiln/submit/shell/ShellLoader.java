package io.kiln.submit.shell;

/// Finds the classes that were typed, after those of the JDK, of the API and of the jars that the
/// shell was started with. The program's loader for the context, so tasks ask it too. Thread-safe.
///
/// It has no name, since a stack trace would put the name before each of the program's frames.
final class ShellLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

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
}
