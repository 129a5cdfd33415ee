package io.kiln.submit;

import io.kiln.base.classpath.ApplicationJars;
import io.kiln.base.classpath.ApplicationJars.Found;
import io.kiln.base.classpath.MissingClass;
import io.kiln.launcher.Refusal;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Optional;

/// Finds `static void main(String[])`, or says exactly what is there instead.
final class MainMethod {

  private MainMethod() {}

  static Method find(Submission submission, ClassLoader loader) {
    String name = submission.mainClass();
    Method main = load(submission, loader);
    if (main == null) {
      throw new Refusal(
          "Main class %s has no main method: it needs public static void main(String[])"
              .formatted(name));
    }
    if (!Modifier.isStatic(main.getModifiers())) {
      throw new Refusal(
          "The main method of %s is not static: it needs public static void main(String[])"
              .formatted(name));
    }
    if (!main.trySetAccessible()) {
      throw new Refusal("The main method of %s is not accessible: make it public".formatted(name));
    }
    return main;
  }

  private static Method declared(Class<?> type) {
    try {
      return type.getDeclaredMethod("main", String[].class);
    } catch (NoSuchMethodException e) {
      return type.getSuperclass() == null ? null : declared(type.getSuperclass());
    }
  }

  /// Looking at the methods of a class loads what they mention, so that may fail as the class
  /// itself.
  ///
  /// @return null if it has none
  private static Method load(Submission submission, ClassLoader loader) {
    String name = submission.mainClass();
    try {
      return declared(Class.forName(name, true, loader));
    } catch (ClassNotFoundException e) {
      throw new Refusal(
          "Main class %s is not in %s%s".formatted(name, jars(submission), hint(submission)));
    } catch (NoClassDefFoundError e) {
      throw new Refusal(missing(name, e, loader));
    } catch (LinkageError e) {
      throw new Refusal("Main class %s cannot be loaded: %s".formatted(name, e));
    }
  }

  private static String missing(String mainClass, NoClassDefFoundError error, ClassLoader loader) {
    Optional<MissingClass> missing = MissingClass.of(error);
    return missing.isEmpty()
        ? "Main class %s cannot be loaded: %s".formatted(mainClass, error)
        : "Main class %s needs %s, which no jar of the application has%s"
            .formatted(mainClass, missing.get().name(), missing.get().advice(loader));
  }

  private static String jars(Submission submission) {
    StringBuilder jars = new StringBuilder();
    for (Path jar : new ApplicationJars(submission.classPath()).paths()) {
      jars.append(jars.isEmpty() ? "" : ", ").append(jar);
    }
    return jars.toString();
  }

  private static String hint(Submission submission) {
    Optional<Found> similar =
        new ApplicationJars(submission.classPath()).similar(submission.mainClass());
    return similar.isPresent()
        ? ": did you mean " + similar.get().className() + "?"
        : ": check --class, or add the jar that has it by --jars";
  }
}
