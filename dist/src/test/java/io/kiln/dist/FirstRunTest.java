package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The scripts in a source checkout that has not been built, with a stand-in for Maven.
class FirstRunTest {

  @TempDir Path directory;
  private Path checkout;
  private Path tools;

  @BeforeEach
  void checkOut() throws IOException {
    checkout = Files.createDirectories(directory.resolve("a checkout"));
    tools = Files.createDirectory(directory.resolve("tools"));
    Files.createDirectory(checkout.resolve("bin"));
    Files.createFile(checkout.resolve("pom.xml"));
    try (Stream<Path> scripts = Files.list(Layout.CHECKOUT.resolve("bin"))) {
      for (Path script : scripts.toList()) {
        Path copy = checkout.resolve("bin").resolve(script.getFileName());
        Files.copy(script, copy);
        makeExecutable(copy);
      }
    }
  }

  @Test
  void whatIsMissingIsBuiltOnceWithOneLineThatSaysSo() throws Exception {
    Path calls = directory.resolve("calls");
    standInForMaven(
        """
        echo "$@" >>'%s'
        mkdir -p '%s/dist/target'
        ln -s '%s' '%s/dist/target/kiln'
        """
            .formatted(calls, checkout, Layout.HOME, checkout));

    Result first = version();
    Result second = version();

    assertThat(first.out()).startsWith("Kiln version ");
    assertThat(first.err().lines())
        .singleElement()
        .asString()
        .startsWith("Building Kiln first")
        .contains(checkout + "/dist/target/first-build.log");
    assertThat(second.out()).isEqualTo(first.out());
    assertThat(second.err()).isEmpty();
    assertThat(Files.readString(calls).lines())
        .singleElement()
        .asString()
        .contains("-f " + checkout + "/pom.xml -pl dist -am", "package");
  }

  @Test
  void aBuildThatFailsNamesItsLog() throws Exception {
    standInForMaven("echo why it failed; exit 3");

    Result result = version();

    Path log = checkout.resolve("dist/target/first-build.log");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).endsWith("Error: The build failed: see " + log + "\n");
    assertThat(Files.readString(log)).isEqualTo("why it failed\n");
  }

  private Result version() throws Exception {
    Command command = new Command(directory, checkout.resolve("bin/spark-submit"), "--version");
    return command.with("PATH", tools + ":" + command.environment().get("PATH")).run();
  }

  private void standInForMaven(String script) throws IOException {
    Path maven = tools.resolve("mvn");
    Files.writeString(maven, "#!/bin/sh\n" + script + "\n");
    makeExecutable(maven);
  }

  private static void makeExecutable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
