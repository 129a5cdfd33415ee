package io.kiln.executor;

/// The loaders by which an executor finds classes.
///
/// @param context what tasks get as their thread's loader: the application's
/// @param restoring finds the application's classes and, behind them, the engine's: what a
///     serialised stage is made of
public record ApplicationClasses(ClassLoader context, ClassLoader restoring) {

  /// @param application may not see the engine
  public static ApplicationClasses of(ClassLoader application) {
    ClassLoader engine = ApplicationClasses.class.getClassLoader();
    return new ApplicationClasses(application, new RestoringLoader(application, engine));
  }

  private static final class RestoringLoader extends ClassLoader {
    private final ClassLoader engine;

    RestoringLoader(ClassLoader application, ClassLoader engine) {
      super(application);
      this.engine = engine;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      return engine.loadClass(name);
    }
  }
}
