package io.kiln.base.classpath;

import io.kiln.api.spi.EngineClasses;
import io.kiln.api.spi.LoaderObjectInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;

/// The classes of an application's data, functions, results and errors, where they come as bytes.
/// All who read such bytes look names up here: there the application's classes and the engine's
/// occur side by side, and neither side's loader finds both. Thread-safe.
///
/// The rule: a name of Kiln's is the engine's class if the engine has it, since there can be but
/// one of those, whatever a jar of the application holds; any other is the application's class if
/// the application has it, else the engine's. Nothing is initialised by being looked up.
///
/// The application's code sees nothing by this that it didn't see before: none of its classes is
/// defined by the loader that finds both.
public final class ApplicationClasses {
  private final ClassLoader application;
  private final ClassLoader both;

  private ApplicationClasses(ClassLoader application, ClassLoader both) {
    this.application = application;
    this.both = both;
  }

  /// @param application need not see the engine
  public static ApplicationClasses of(ClassLoader application) {
    ClassLoader engine = ApplicationClasses.class.getClassLoader();
    return new ApplicationClasses(application, new BothLoader(application, engine));
  }

  /// Those that the code may use that runs on this thread.
  public static ApplicationClasses ofThread() {
    return of(Thread.currentThread().getContextClassLoader());
  }

  /// What tasks get as their thread's loader: the application's alone.
  public ClassLoader context() {
    return application;
  }

  /// By the rule; not for code of the application.
  public ClassLoader loader() {
    return both;
  }

  /// @param name as [Class#getName] gives it, also of an array
  public Class<?> find(String name) throws ClassNotFoundException {
    return Class.forName(name, false, both);
  }

  /// What Java serialization wrote.
  public ObjectInputStream objects(InputStream bytes) throws IOException {
    return new LoaderObjectInputStream(bytes, both, application);
  }

  private static final class BothLoader extends ClassLoader {
    static {
      registerAsParallelCapable();
    }

    private final ClassLoader engine;

    BothLoader(ClassLoader application, ClassLoader engine) {
      super(application);
      this.engine = engine;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith(EngineClasses.ROOT)) {
        try {
          return engine.loadClass(name);
        } catch (ClassNotFoundException e) {
          // a program's, such as an example
        }
      }
      return super.loadClass(name, resolve);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      return engine.loadClass(name);
    }
  }
}
