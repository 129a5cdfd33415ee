package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The shell as a person uses it, on a terminal that tmux owns.
class ShellTerminalTest {

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir Path directory;
  private Path scratch;

  /// The socket of the server that owns the terminal. Each shell has a server of its own, because
  /// `kill-server` comes back before the server has gone, and the next command would reach it yet.
  private Path socket;

  private int shells;

  @BeforeEach
  void needTmux() throws Exception {
    assumeTrue(
        new Command(directory, "sh", "-c", "command -v tmux").run().exitCode() == 0,
        "tmux is not installed, so the shell is not tested on a terminal");
    scratch = Files.createDirectory(directory.resolve("scratch"));
  }

  @AfterEach
  void endTmux() throws Exception {
    new Command(directory, "tmux", "-S", socket, "kill-server").run();
  }

  @Test
  void aPersonCompletesRunsCancelsAndLeaves() throws Exception {
    startShell();
    await("Kiln 0\\..*\nMaster local\\[2], application local-\\d+; sc is its KilnContext\n");

    type("sc.defaultPar");
    press("Tab");
    await("kiln> sc.defaultParallelism\\(\\)");
    press("Enter");
    await("int \\$1 = 2\nkiln>$");

    type("int next(int x) {");
    press("Enter");
    await("\n    \\|$");
    type("return x + 1; }");
    press("Enter");
    await("Defined method next\\(int\\)\nkiln>$");

    type("System.out.print(next(5))");
    press("Enter");
    await("\n6.*\nkiln>$");

    type(
        "sc.range(0, 2, 1, 2).foreach(x -> { System.out.println(\"runs\" + x);"
            + " new java.util.concurrent.CountDownLatch(1).await(); })");
    press("Enter");
    await("runs0\n(.*\n)?runs1|runs1\n(.*\n)?runs0");
    await("\\[Stage \\d+:>.*\\]$");
    press("C-c");
    await("\nCancelled\nkiln>$");

    type("this is dropped");
    await("kiln> this is dropped$");
    press("C-c");
    await("dropped\nkiln>$");
    type("sc.range(0, 5, 1, 2).count()");
    press("Enter");
    await("long \\$\\d+ = 5\nkiln>$");

    press("C-d");
    await("ended with 0$");
    try (Stream<Path> left = Files.list(scratch)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void anotherSessionRemembers() throws Exception {
    startShell();
    await("kiln>$");
    type("int a = 6 * 7");
    press("Enter");
    await("int a = 42\nkiln>$");
    type("/exit");
    press("Enter");
    await("ended with 0$");
    tmux("kill-server");

    startShell();
    await("kiln>$");
    press("Up");
    await("kiln> /exit$");
    press("Up");
    await("kiln> int a = 6 \\* 7$");
    press("Enter");
    await("int a = 42\nkiln>$");
  }

  private void startShell() throws Exception {
    socket = directory.resolve("socket-" + shells++);
    String shell =
        "'%s' --master 'local[2]' -c 'spark.local.dir=%s'; echo ended with $?; cat"
            .formatted(Layout.HOME.resolve("bin/spark-shell"), scratch);
    tmux("-f", "/dev/null", "new-session", "-d", "-x", "200", "-y", "50", shell);
  }

  private void type(String text) throws Exception {
    tmux("send-keys", "-l", "--", text);
  }

  private void press(String key) throws Exception {
    tmux("send-keys", key);
  }

  /// Looks at the screen until it shows what is expected.
  private void await(String expected) throws Exception {
    Pattern pattern = Pattern.compile(expected);
    long deadline = System.nanoTime() + LIMIT_NANOS;
    String screen;
    do {
      screen = tmux("capture-pane", "-p").replaceAll(" +\n", "\n").stripTrailing();
      if (pattern.matcher(screen).find()) {
        return;
      }
    } while (System.nanoTime() < deadline);
    assertThat(screen).as("the terminal").containsPattern(pattern);
  }

  private String tmux(String... words) throws IOException, InterruptedException {
    List<Object> command = new ArrayList<>(List.of("tmux", "-S", socket));
    command.addAll(List.of(words));
    Command.Result result =
        new Command(directory, command.toArray())
            .with("SPARK_SUBMIT_OPTS", "-Duser.home=" + directory)
            .with("TERM", "xterm")
            .run();
    assertThat(result.exitCode()).as("%s: %s", command, result.err()).isZero();
    return result.out();
  }
}
