package io.kiln.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Runs examples on the real engine, in this process.
final class ExampleRun {
  private static final String MASTER = "spark.master";

  private ExampleRun() {}

  /// A program's `main`.
  interface Main {
    void run(String[] arguments) throws Exception;
  }

  static KilnContext context(String name) {
    return KilnContext.create(new KilnConf(false).setMaster("local[2]").setAppName(name));
  }

  /// What `main` prints on two threads.
  static String output(Main main, String... arguments) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setProperty(MASTER, "local[2]");
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      main.run(arguments);
    } finally {
      System.setOut(before);
      System.clearProperty(MASTER);
    }
    return printed.toString(UTF_8);
  }

  static List<String> lines(String dataName) throws IOException {
    return Files.readAllLines(Path.of(ExampleData.path(dataName)));
  }
}
