package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/// Jars of one class each, compiled as they are needed.
final class SmallJar {

  private SmallJar() {}

  /// @param directory for what is made in between
  /// @param className by its full name
  /// @param members of the class
  /// @param classPath where other classes are; may be empty
  static Path write(Path directory, Path jar, String className, String members, String classPath)
      throws IOException {
    Path work = Files.createTempDirectory(directory, "compiled");
    int dot = className.lastIndexOf('.');
    String simple = className.substring(dot + 1);
    Path source = work.resolve(simple + ".java");
    Files.writeString(
        source,
        "package " + className.substring(0, dot) + "; public class " + simple + " " + members);
    Path classes = Files.createDirectory(work.resolve("classes"));
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), "-cp", classPath, source.toString());
    assertThat(failed).isZero();
    Files.createDirectories(jar.getParent());
    return ProbeJar.pack(classes, jar);
  }

  /// With a method `name`, which the probe calls.
  static Path named(Path directory, Path jar, String className, String name) throws IOException {
    return write(
        directory,
        jar,
        className,
        "{ public static String name() { return \"" + name + "\"; } }",
        "");
  }
}
