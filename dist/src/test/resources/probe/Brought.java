package probe;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnFiles;
import io.kiln.api.RDD;
import java.io.Serializable;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// An application that uses what it was given: does what its first argument says.
public class Brought {

  public static void main(String[] arguments) throws Exception {
    List<String> rest = List.of(arguments).subList(1, arguments.length);
    try (KilnContext context = KilnContext.create(new KilnConf().setAppName("brought"))) {
      RDD<String> given = context.parallelize(rest, Math.max(1, rest.size()));
      switch (arguments[0]) {
        case "read" -> {
          for (String path : rest) {
            System.out.println("driver " + read(path));
          }
          given.map(Brought::read).collect().forEach(text -> System.out.println("task " + text));
        }
        case "load" -> {
          for (String name : rest) {
            System.out.println("driver " + load(name));
          }
          given.map(Brought::load).collect().forEach(text -> System.out.println("task " + text));
        }
        case "add" -> {
          context.addFile(rest.get(0) + "/note.txt#added.txt");
          context.addArchive(rest.get(0) + "/tree.tgz#tree");
          context.addJar(rest.get(0) + "/greeter.jar");
          RDD<String> added = context.parallelize(List.of("added.txt", "tree/in/deep.txt"), 2);
          added.map(Brought::read).collect().forEach(text -> System.out.println("task " + text));
          System.out.println("task " + context.range(0, 1).map(_ -> added()).first());
          System.out.println(context.listArchives().size() + " archive");
        }
        case "missing" -> context.range(0, 1).map(_ -> Missing.class.getName()).collect();
        case "reflect" -> load("acme.Greeting");
        case "foreign" -> foreign(context, rest.get(0));
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }
  }

  private static String read(String path) throws Exception {
    int slash = path.indexOf('/');
    Path root = KilnFiles.get(slash < 0 ? path : path.substring(0, slash));
    Path file = slash < 0 ? root : root.resolve(path.substring(slash + 1));
    return path
        + (Files.isSymbolicLink(file) ? " link" : "")
        + (Files.isExecutable(file) ? " executable " : " ")
        + Files.readString(file).strip();
  }

  private static String load(String name) throws Exception {
    return (String) Class.forName(name).getMethod("name").invoke(null);
  }

  private static String added() throws Exception {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return (String) Class.forName("acme.Greeter", true, loader).getMethod("name").invoke(null);
  }

  /// A function that holds what only a loader of the program's own knows.
  private static void foreign(KilnContext context, String jar) throws Exception {
    URL[] urls = {URI.create(jar).toURL()};
    Serializable held =
        (Serializable)
            new URLClassLoader(urls).loadClass("acme.Held").getConstructor().newInstance();
    context.range(0, 1).map(_ -> held.toString()).collect();
  }
}
