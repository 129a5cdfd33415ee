package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kiln.dist.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Holds what a small job's start costs, by the classes that it loads: their number doesn't depend
/// on how busy the machine is. Each class that the JVM makes or reads is a part of a millisecond; a
/// pattern switch, a first concatenation by `invokedynamic` or a serialisable lambda makes one or
/// more that no cache holds.
///
/// `src/test/resources/start` has what is loaded today. A test that fails names what is new, and
/// where it has written the list that would make it pass.
class StartUpTest {
  private static final Path KEPT = Path.of("src/test/resources/start");
  private static final Pattern ADDRESS = Pattern.compile("[/+]0x[0-9a-f]+");

  /// What a busy JVM may load in addition: a lock that was contended, a thread that came first.
  private static final int SLACK = 5;

  /// Another build of the JDK may need a few more of its own.
  private static final int SLACK_OF_JDK = 40;

  @TempDir Path directory;

  /// Those are nearly all made at run time, and cost most.
  @Test
  void withACacheNoMoreClassesComeFromElsewhere() throws Exception {
    assumeTrue(hasCache(), "the build could make no cache");
    Map<String, Integer> loaded = new TreeMap<>();
    for (String line : load(Layout.HOME.resolve("aot"))) {
      if (!line.contains("shared objects file")) {
        loaded.merge(ADDRESS.matcher(line.split(" ")[0]).replaceAll(""), 1, Integer::sum);
      }
    }
    check("not-from-the-cache.txt", loaded, SLACK);
  }

  /// As of the very first run, and of every start without a cache.
  @Test
  void withoutACacheNoMoreClassesAreLoaded() throws Exception {
    Map<String, Integer> loaded = new TreeMap<>();
    for (String line : load(directory.resolve("no-caches"))) {
      loaded.merge(packageOf(line.split(" ")[0]), 1, Integer::sum);
    }
    Map<String, Integer> jdks = new TreeMap<>(loaded);
    jdks.keySet().removeIf(name -> !ofJdk(name));
    loaded.keySet().removeIf(StartUpTest::ofJdk);
    check("packages.txt", loaded, SLACK);
    check("packages-of-the-jdk.txt", jdks, SLACK_OF_JDK);
  }

  /// As `bin/spark-submit` looks: a cache that is older than a jar doesn't fit.
  private static boolean hasCache() throws IOException {
    Path caches = Layout.HOME.resolve("aot");
    if (!Files.isDirectory(caches)) {
      return false;
    }
    try (Stream<Path> made = Files.walk(caches);
        Stream<Path> jars = Files.walk(Layout.HOME.resolve("jars"))) {
      long newest =
          jars.filter(file -> file.toString().endsWith(".jar"))
              .mapToLong(jar -> jar.toFile().lastModified())
              .max()
              .orElseThrow();
      return made.filter(file -> file.endsWith("driver.aot"))
          .anyMatch(file -> file.toFile().lastModified() >= newest);
    }
  }

  /// @return a line for each class: its name, and where it comes from
  private List<String> load(Path caches) throws Exception {
    Path log = directory.resolve("classes.log");
    Path examples = Layout.jars("examples/jars").getFirst();
    Result result =
        new Command(
                directory,
                Layout.HOME.resolve("bin/spark-submit"),
                "--master",
                "local[2]",
                "--driver-java-options",
                "-Xlog:class+load:file=" + log + ":none:filecount=0",
                "--class",
                "io.kiln.examples.SparkPi",
                examples,
                "4")
            .with("KILN_AOT_ROOT", caches)
            .run();
    assertThat(result.out()).as(result.err()).startsWith("Pi is roughly 3.1");
    return Files.readAllLines(log).stream().filter(line -> line.contains(" source: ")).toList();
  }

  private static boolean ofJdk(String name) {
    return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.");
  }

  private static String packageOf(String className) {
    int end = ADDRESS.matcher(className).replaceAll("").lastIndexOf('.');
    return end < 0 ? className : className.substring(0, end);
  }

  private static void check(String name, Map<String, Integer> loaded, int slack)
      throws IOException {
    Map<String, Integer> kept = new TreeMap<>();
    for (String line : Files.readAllLines(KEPT.resolve(name))) {
      String[] words = line.split(" ");
      kept.put(words[1], Integer.valueOf(words[0]));
    }
    List<String> lines = new ArrayList<>();
    List<String> news = new ArrayList<>();
    loaded.forEach(
        (what, count) -> {
          lines.add(count + " " + what);
          int before = kept.getOrDefault(what, 0);
          if (count > before) {
            news.add(what + ": " + count + " after " + before);
          }
        });
    Path today = Files.createDirectories(Path.of("target/start")).resolve(name);
    Files.write(today, lines);
    assertThat(sum(loaded))
        .as("classes; more than before: %s; today's list is in %s", news, today.toAbsolutePath())
        .isLessThanOrEqualTo(sum(kept) + slack);
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }
}
