package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/// The programs and libraries of which the pages of the documents take for granted that the reader
/// has them.
///
/// @param place where their jars go
/// @param scratch for what is made in between
record Programs(Path place, Path scratch) {

  private static final String IMPORTS =
      """
      import io.kiln.api.*;
      import java.nio.file.Files;
      import java.time.Duration;
      import java.util.*;
      """;

  /// Takes its library for what it does without an argument, and a block of the page with one.
  static final String WORDS =
      """
      package acme;
      import com.google.common.base.Splitter;
      """
          + IMPORTS
          + """
          public class Words {
            public static void main(String[] arguments) throws Exception {
              try (KilnContext context = KilnContext.create(new KilnConf().setAppName("words"))) {
                if (arguments.length > 0) {
          %s
                } else {
                  System.out.println(
                      context.parallelize(List.of("to be"), 1)
                          .flatMap(line -> Splitter.on(' ').split(line).iterator())
                          .collect());
                }
              }
            }
          }
          """;

  static final String WHO =
      """
      package acme;
      import org.apache.hadoop.security.UserGroupInformation;
      """
          + IMPORTS
          + """
          public class Who {
            public static void main(String[] arguments) throws Exception {
              try (KilnContext context = KilnContext.create(new KilnConf().setAppName("who"))) {
                System.out.println("driver " + UserGroupInformation.getCurrentUser());
                System.out.println("tasks " + context.range(0, 2, 1, 2)
                    .map(_ -> UserGroupInformation.getCurrentUser().toString())
                    .distinct().collect());
              }
            }
          }
          """;

  static final String JOBS =
      """
      package probe;
      """
          + IMPORTS
          + """
          public class Jobs {
            public static void main(String[] arguments) {
              String what = arguments.length > 0 ? arguments[0] : "nothing";
              try (KilnContext context = KilnContext.create(new KilnConf().setAppName("jobs"))) {
                switch (what) {
                  case "fail" -> context.parallelize(List.of(1, 2, 3), 3)
                      .map(number -> 10 / (number - 2)).collect();
                  case "missing" -> context.textFile(arguments[1]).count();
                  default -> System.out.println(what);
                }
              }
            }
          }
          """;

  /// Makes `app.jar` of the examples' and of [#JOBS].
  static final String PACK_APP =
      "mkdir app && (cd app && jar xf ../examples/jars/kiln-examples-*.jar && jar xf ../jobs.jar)"
          + " && jar cfe app.jar probe.Jobs -C app .";

  /// Of statements.
  static String main(String className, String statements) {
    return "package acme;\n%spublic class %s { public static void main(String[] arguments) throws Exception {\n%s}}"
        .formatted(IMPORTS, className, statements);
  }

  static String nightly(String statements) {
    return "import io.kiln.launcher.*;\nimport java.time.Duration;\npublic class Nightly { public static void main(String[] arguments) throws Exception {\n%s}}"
        .formatted(statements);
  }

  /// Compiles one class, as its users would, and packs it in a jar of its name in small letters.
  void pack(String className, String source) throws IOException {
    Path classes = Files.createTempDirectory(scratch, "classes");
    compile(classes, className, source);
    String packageName = source.substring("package ".length(), source.indexOf(';'));
    jar(
        place.resolve(className.toLowerCase(Locale.ROOT) + ".jar"),
        packageName + "." + className,
        classes);
  }

  void compile(Path classes, String className, String source) throws IOException {
    Path file = Files.createTempDirectory(scratch, "source").resolve(className + ".java");
    Files.writeString(file, source);
    List<Path> jars =
        Stream.of(Layout.jars("jars/shared"), Layout.jars("jars/hadoop"), Layout.testLibraries())
            .flatMap(List::stream)
            .toList();
    tool("javac", "-d", classes.toString(), "-cp", join(jars), file.toString());
  }

  private static String join(List<Path> jars) {
    return String.join(":", jars.stream().map(Path::toString).toList());
  }

  private static void jar(Path jar, String mainClass, Path classes) {
    tool("jar", "-c", "-f", jar.toString(), "-e", mainClass, "-C", classes.toString(), ".");
  }

  private static void tool(String name, String... arguments) {
    int code = ToolProvider.findFirst(name).orElseThrow().run(System.out, System.err, arguments);
    assertThat(code).as("%s %s", name, List.of(arguments)).isZero();
  }

  /// Puts into a local repository what `--packages` names, so that no network is needed.
  void keepGuava(Path repository) throws IOException {
    Path jar =
        Layout.testLibraries().stream()
            .filter(library -> library.getFileName().toString().startsWith("guava-"))
            .findFirst()
            .orElseThrow();
    String needs =
        """
        <dependency><groupId>com.google.guava</groupId><artifactId>failureaccess</artifactId>
        <version>1.0.2</version></dependency>
        <dependency><groupId>com.google.guava</groupId><artifactId>listenablefuture</artifactId>
        <version>9999.0-empty-to-avoid-conflict-with-guava</version></dependency>
        <dependency><groupId>org.checkerframework</groupId><artifactId>checker-qual</artifactId>
        <version>3.43.0</version></dependency>
        """;
    keep(repository, "guava", "33.4.0-jre", needs, jar);
    Path empty = scratch.resolve("empty.jar");
    jar(empty, "none.None", Files.createDirectory(scratch.resolve("empty")));
    keep(repository, "failureaccess", "1.0.2", "", empty);
    keep(repository, "listenablefuture", "9999.0-empty-to-avoid-conflict-with-guava", "", empty);
  }

  private static void keep(Path repository, String artifact, String version, String needs, Path jar)
      throws IOException {
    Path directory =
        Files.createDirectories(repository.resolve("com/google/guava/" + artifact + "/" + version));
    Files.writeString(
        directory.resolve(artifact + "-" + version + ".pom"),
        """
        <project><modelVersion>4.0.0</modelVersion><groupId>com.google.guava</groupId>
        <artifactId>%s</artifactId><version>%s</version><dependencies>%s</dependencies></project>
        """
            .formatted(artifact, version, needs));
    Files.createSymbolicLink(directory.resolve(artifact + "-" + version + ".jar"), jar);
  }

  /// Makes a local repository as `mvn install` leaves it, whose other packages are the user's.
  void keepKiln(Path repository) throws IOException {
    Path users =
        Path.of(
            System.getProperty(
                "maven.repo.local", System.getProperty("user.home") + "/.m2/repository"));
    link(users, repository, "io");
    link(users.resolve("io"), repository.resolve("io"), "kiln");
    keepPom(repository, "kiln", Layout.CHECKOUT.resolve("pom.xml"));
    for (String group : List.of("shared", "engine")) {
      for (Path jar : Layout.jars("jars/" + group)) {
        String name = jar.getFileName().toString();
        if (name.startsWith("kiln-")) {
          String artifact = name.substring(0, name.indexOf('-', "kiln-".length()));
          Path module = Layout.CHECKOUT.resolve(artifact.substring("kiln-".length()));
          Path directory = keepPom(repository, artifact, module.resolve("pom.xml"));
          Files.createSymbolicLink(directory.resolve(name), jar);
        }
      }
    }
  }

  private static Path keepPom(Path repository, String artifact, Path pom) throws IOException {
    String version = version();
    Path directory = repository.resolve("io/kiln/" + artifact + "/" + version);
    Files.createDirectories(directory);
    Files.copy(pom, directory.resolve(artifact + "-" + version + ".pom"));
    return directory;
  }

  private static String version() throws IOException {
    String api = Layout.jars("jars/shared").getFirst().getFileName().toString();
    return api.substring("kiln-api-".length(), api.length() - ".jar".length());
  }

  private static void link(Path from, Path to, String except) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> parts = Files.list(from)) {
      for (Path part : parts.toList()) {
        if (!part.getFileName().toString().equals(except)) {
          Files.createSymbolicLink(to.resolve(part.getFileName()), part);
        }
      }
    }
  }
}
