package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every example, as a newcomer runs it: by the script, with the input that ships with it.
class ExamplesTest {

  private static final Pattern PROGRAM = Pattern.compile("io/kiln/examples/([A-Za-z0-9]+)\\.class");

  @TempDir Path directory;

  /// @param output must be found in what it prints
  private record Example(String name, String output) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Example> examples() {
    return List.of(
        new Example("SparkPi", "Pi is roughly 3\\.1\\d+"),
        new Example("WordCount", "the +63,919\nand +51,696\n[^$]*822,552 words, 12,586 of them"),
        new Example("LogQuery", "GET /images/photo-1.jpg +13 times +4,120,940 bytes"),
        new Example("PageRank", "libc6 +\\d+\\.\\d+\nlibgcc-s1 +\\d+\\.\\d+\n"),
        new Example("TransitiveClosure", "git +needs 43\n"),
        new Example("KMeans", "(centre \\[.*] of \\d+ points\n){3}"),
        new Example("LogisticRegression", "Right for 8\\d\\.\\d% of the points"),
        new Example("InvertedIndex", "behemoth: Job40:15\n"),
        new Example("TeraGen", "100,000 records written to "),
        new Example("TeraSort", "1,000 records, checksum 1f9ffe645ec, sorted"),
        new Example("TeraValidate", "1,000 records, checksum 1f9ffe645ec, sorted"));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void itEndsWithAResultThatCanBeChecked(Example example) throws Exception {
    Path temporary = Files.createDirectory(directory.resolve("temporary"));
    Result result =
        new Command(directory, Layout.HOME.resolve("bin/run-example"), example.name())
            .with("SPARK_SUBMIT_OPTS", "-Djava.io.tmpdir=" + temporary)
            .run();

    assertThat(result.err()).isEmpty();
    assertThat(result.out()).containsPattern(example.output());
    assertThat(result.exitCode()).isZero();
    try (Stream<Path> left = Files.list(temporary)) {
      // What the Tera programs made is their result; the engine leaves nothing.
      assertThat(left.filter(file -> !example.name().startsWith("Tera"))).isEmpty();
    }
  }

  @Test
  void noneIsForgottenHere() throws Exception {
    Set<String> programs = new TreeSet<>();
    for (Path file : Layout.jars("examples/jars")) {
      try (JarFile jar = new JarFile(file.toFile())) {
        jar.stream()
            .map(entry -> PROGRAM.matcher(entry.getName()))
            .filter(matcher -> matcher.matches())
            .map(matcher -> matcher.group(1))
            .filter(ExamplesTest::hasMain)
            .forEach(programs::add);
      }
    }

    assertThat(examples().stream().map(Example::name))
        .containsExactlyInAnyOrderElementsOf(programs);
  }

  private static boolean hasMain(String name) {
    try {
      return Class.forName("io.kiln.examples." + name).getMethod("main", String[].class) != null;
    } catch (ClassNotFoundException | NoSuchMethodException e) {
      return false;
    }
  }
}
