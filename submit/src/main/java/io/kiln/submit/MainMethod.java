package io.kiln.submit;

import io.kiln.launcher.Refusal;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

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
      throw new Refusal(
          "Main class %s needs %s, which no jar of the application has: add its jar by --jars"
              .formatted(name, String.valueOf(e.getMessage()).replace('/', '.')));
    } catch (LinkageError e) {
      throw new Refusal("Main class %s cannot be loaded: %s".formatted(name, e));
    }
  }

  private static String jars(Submission submission) {
    StringBuilder jars = new StringBuilder();
    for (Path entry : submission.classPath()) {
      if (entry.toString().endsWith(".jar")) {
        jars.append(jars.isEmpty() ? "" : ", ").append(entry);
      }
    }
    return jars.toString();
  }

  /// A class of the same simple name, in another package or with other capitals.
  private static String hint(Submission submission) {
    for (Path entry : submission.classPath()) {
      String similar = entry.toString().endsWith(".jar") ? similar(entry, wanted(submission)) : "";
      if (!similar.isEmpty()) {
        return ": did you mean " + similar + "?";
      }
    }
    return ": check --class, or add the jar that has it by --jars";
  }

  private static String wanted(Submission submission) {
    String name = submission.mainClass();
    return "/" + name.substring(name.lastIndexOf('.') + 1) + ".class";
  }

  private static String similar(Path file, String wanted) {
    try (JarFile jar = new JarFile(file.toFile())) {
      for (JarEntry found : jar.stream().toList()) {
        String path = "/" + found.getName();
        int tail = path.length() - wanted.length();
        if (path.regionMatches(true, tail, wanted, 0, wanted.length())) {
          return path.substring(1, path.length() - ".class".length()).replace('/', '.');
        }
      }
      return "";
    } catch (IOException e) {
      return "";
    }
  }
}
