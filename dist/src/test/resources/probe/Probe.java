package probe;

import io.kiln.api.KilnException;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.jar.JarFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The application that the script tests submit: does what its first argument says.
public class Probe {

  private static final Logger LOG = LoggerFactory.getLogger(Probe.class);

  public static void main(String[] arguments) throws Exception {
    switch (arguments.length == 0 ? "nothing" : arguments[0]) {
      case "arguments" -> {
        for (String argument : arguments) {
          System.out.print(argument + "\0");
        }
      }
      case "properties" -> {
        for (String key : new TreeSet<>(System.getProperties().stringPropertyNames())) {
          System.out.println(key + "=" + System.getProperty(key));
        }
        System.out.println("heap=" + Runtime.getRuntime().maxMemory());
        System.out.println("environment=" + System.getenv("PROBE"));
      }
      case "lost" -> {
        Thread.ofPlatform()
            .name(arguments[1])
            .start(
                () -> {
                  throw new IllegalStateException("on purpose");
                })
            .join();
        if (arguments.length == 2) {
          waitForEver();
        }
      }
      case "exit" -> System.exit(Integer.parseInt(arguments[1]));
      case "throw" -> fail();
      case "refuse" -> throw new KilnException("X", KilnException.Kind.USER, "no such input");
      case "threads" -> new Thread(Probe::waitForEver, "straggler").start();
      case "late" -> new Thread(() -> System.out.println("late"), "late").start();
      case "wait" -> {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        System.out.println("ready");
        waitForEver();
      }
      case "log" -> {
        LOG.debug("debug {}", 1);
        LOG.info("info {}", 2);
        LOG.warn("warn {}", 3);
      }
      case "visible" -> {
        for (String jar : List.of(arguments).subList(1, arguments.length)) {
          printVisible(new JarFile(jar));
        }
      }
      default -> {}
    }
  }

  private static void fail() {
    throw new IllegalStateException("broken", new RuntimeException("because"));
  }

  private static void waitForEver() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void printVisible(JarFile jar) {
    jar.stream()
        .map(entry -> entry.getName())
        .filter(
            name ->
                name.endsWith(".class")
                    && !name.startsWith("META-INF")
                    && !name.endsWith("-info.class"))
        .forEach(
            name -> {
              try {
                Class.forName(
                    name.replace('/', '.').substring(0, name.length() - 6),
                    false,
                    Probe.class.getClassLoader());
                System.out.println("visible " + name);
              } catch (ClassNotFoundException | LinkageError e) {
                System.out.println("hidden " + name);
              }
            });
  }
}

class Instance {
  void main(String[] arguments) {}
}

class Mainless {}

class Needy {
  static final Missing NEEDED = new Missing();

  public static void main(String[] arguments) {}
}

class Mentioner {
  public static void main(String[] arguments) {}

  static Missing mentioned() {
    return null;
  }
}

class Missing {}
