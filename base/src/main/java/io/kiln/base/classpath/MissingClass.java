package io.kiln.base.classpath;

import io.kiln.api.spi.EngineClasses;
import io.kiln.base.classpath.ApplicationJars.Found;
import java.util.Optional;

/// A class that an application's code needs and that isn't there.
///
/// @param name by its full name
/// @param askedBy the class whose code needed it; empty if that isn't known
public record MissingClass(String name, String askedBy) {
  private static final int MAX_CAUSES = 16;

  /// The class for want of which something failed.
  ///
  /// @return empty if it failed for another reason
  public static Optional<MissingClass> of(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof NoClassDefFoundError || cause instanceof ClassNotFoundException) {
        String name = name(cause);
        if (!name.isEmpty()) {
          return Optional.of(new MissingClass(name, askedBy(cause)));
        }
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  /// @return empty if the message is more than a name, as of a class whose initialiser failed
  private static String name(Throwable missing) {
    String message = String.valueOf(missing.getMessage()).replace('/', '.');
    if (message.startsWith("L") && message.endsWith(";")) {
      message = message.substring(1, message.length() - 1);
    }
    for (int i = 0; i < message.length(); i++) {
      if (!Character.isJavaIdentifierPart(message.charAt(i)) && message.charAt(i) != '.') {
        return "";
      }
    }
    return missing.getMessage() == null ? "" : message;
  }

  private static String askedBy(Throwable missing) {
    for (StackTraceElement frame : missing.getStackTrace()) {
      String name = frame.getClassName();
      boolean ofJdk = frame.getModuleName() != null && frame.getModuleName().startsWith("java.");
      if (!ofJdk && !EngineClasses.has(name)) {
        return name;
      }
    }
    return "";
  }

  /// One line: which class, asked for by which, and what may help.
  ///
  /// @param loader finds the application's classes
  public String explained(ClassLoader loader) {
    ApplicationJars jars = ApplicationJars.of(loader);
    String subject = "class " + name + (askedBy.isEmpty() ? "" : ", which " + askedBy + " needs,");
    return subject + wherefore(jars);
  }

  /// What may help, to follow a statement that the class is missing: begins with `;`.
  ///
  /// @param loader finds the application's classes
  public String advice(ClassLoader loader) {
    return advice(ApplicationJars.of(loader));
  }

  private String wherefore(ApplicationJars jars) {
    Optional<Found> there = jars.find(name);
    return there.isPresent()
        ? " is in "
            + there.get().jar()
            + ", but can't be seen from there, as that was added to the context later; give that"
            + " jar by --jars"
        : " is in no jar of the application" + advice(jars);
  }

  String advice(ApplicationJars jars) {
    Optional<Found> similar = jars.similar(name);
    if (similar.isPresent()) {
      return "; "
          + similar.get().jar()
          + " has "
          + similar.get().className()
          + "; if another is meant, add its jar by --jars or --packages";
    }
    Optional<Found> neighbour = jars.ofSamePackage(name);
    return neighbour.isPresent()
        ? "; "
            + neighbour.get().jar()
            + " has others of its package, so another version of it may have this one too; or add"
            + " its jar by --jars or --packages"
        : "; add its jar by --jars or --packages";
  }
}
