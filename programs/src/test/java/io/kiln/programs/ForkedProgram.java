package io.kiln.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program that has run in a JVM of its own.
///
/// @param output what it wrote, errors included
record ForkedProgram(int exitCode, String output) {

  /// @param options of the JVM
  static ForkedProgram run(Class<?> main, List<String> options, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(options);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile("forked-program", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(150, TimeUnit.SECONDS)) {
        throw new AssertionError(main + " did not end: " + Files.readString(output));
      }
      return new ForkedProgram(process.exitValue(), Files.readString(output));
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }
}
