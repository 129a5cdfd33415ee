package io.kiln.api.spi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Tells the engine's own classes from a program's. Both may be below `io.kiln`: an example, a test
/// and somebody's cluster manager are programs. Thread-safe.
///
/// Each room of the engine declares itself: with its classes, in one jar or directory, comes the
/// resource `META-INF/kiln/rooms/NAME`, and the room's package is `io.kiln.NAME`. A class of such a
/// package is the engine's if the loader that defined it finds the room. So under `spark-submit`,
/// where the application has a loader of its own, a class of the application's is never the
/// engine's. On a flat class path, as in an IDE, the packages of rooms are the engine's.
public final class EngineClasses {
  /// The packages of all rooms are below this one.
  public static final String ROOT = "io.kiln.";

  private static final String ROOMS = "META-INF/kiln/rooms/";
  private static final ClassLoader ENGINE = EngineClasses.class.getClassLoader();

  /// What the engine's loader answered: to find that there is no such room it opens every jar.
  private static final Map<String, Boolean> KNOWN = new ConcurrentHashMap<>();

  private EngineClasses() {}

  /// Whether the class is the engine's.
  public static boolean has(Class<?> type) {
    String name = type.getName();
    return name.startsWith(ROOT) && isRoom(room(name), type.getClassLoader());
  }

  /// Whether the engine has a class of this name, such as a stack trace gives. Slower than the
  /// question about a class. Classes of
  /// rooms that are on no class path are not found.
  public static boolean has(String className) {
    return className.startsWith(ROOT)
        && isRoom(room(className), ENGINE)
        && ENGINE.getResource(className.replace('.', '/').concat(".class")) != null;
  }

  private static String room(String className) {
    int end = className.indexOf('.', ROOT.length());
    return end < 0 ? "" : className.substring(ROOT.length(), end);
  }

  private static boolean isRoom(String room, ClassLoader loader) {
    if (loader != ENGINE) {
      return finds(loader, room);
    }
    Boolean known = KNOWN.get(room);
    if (known == null) {
      known = finds(loader, room);
      KNOWN.put(room, known);
    }
    return known;
  }

  private static boolean finds(ClassLoader loader, String room) {
    return !room.isEmpty() && loader.getResource(ROOMS.concat(room)) != null;
  }
}
