package io.kiln.dist;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// A shell at which commands are typed one after the other. It has a network and process ids of its
/// own, so that every port is free, and that nothing is left of what was started when it ends.
final class ConsoleSession implements AutoCloseable {

  private static final String END = "-- end of command, exit code ";
  private static final Pattern ESCAPES = Pattern.compile("\u001b\\[[0-9;?]*[a-zA-Z]");
  private static final List<List<String>> WAYS_APART =
      List.of(List.of("unshare", "--net"), List.of("unshare", "--map-root-user", "--net"));
  private static final List<String> PROCESSES_APART =
      List.of("--pid", "--fork", "--mount-proc", "--kill-child");

  /// @param lines of both streams, as they came
  record Result(int exitCode, List<String> lines) {}

  private final Path scratch;
  private final Process shell;
  private final Writer in;
  private final BufferedReader out;
  private int commands;

  /// @param directory where it begins
  /// @param scratch for files of its own
  /// @param apart how to start it, as [#wayApart] has found
  ConsoleSession(Path directory, Path scratch, List<String> apart, Map<String, String> environment)
      throws IOException, InterruptedException {
    this.scratch = scratch;
    List<Object> words = new ArrayList<>(apart);
    words.addAll(List.of("bash", "--noprofile", "--norc"));
    Command command = new Command(scratch, words.toArray()).in(directory);
    command.environment().putAll(environment);
    shell = command.mergeError().start();
    in = shell.outputWriter();
    out = shell.inputReader();
    run("ip link set lo up", List.of());
  }

  /// How a process is started here with a network of its own; nothing if that is not allowed.
  static List<String> wayApart(Path directory) throws IOException, InterruptedException {
    for (List<String> way : WAYS_APART) {
      List<Object> words = new ArrayList<>(way);
      words.addAll(PROCESSES_APART);
      List<String> found = words.stream().map(Object::toString).toList();
      words.addAll(List.of("sh", "-c", "ip link set lo up"));
      words.addFirst("env"); // which says it if there is no such program
      if (new Command(directory, words.toArray()).run().exitCode() == 0) {
        return found;
      }
    }
    return List.of();
  }

  /// @param typed what it reads, from a terminal; nothing if this is empty
  Result run(String command, List<String> typed) throws IOException, InterruptedException {
    Path script = Files.writeString(scratch.resolve("command-" + ++commands), command + "\n");
    if (typed.isEmpty()) {
      in.write(". '%s' </dev/null\n".formatted(script));
    } else {
      Path input = scratch.resolve("typed-" + commands);
      Files.writeString(input, String.join("\n", typed) + "\n");
      in.write("TERM=dumb script -qec '. %s' /dev/null <'%s'\n".formatted(script, input));
    }
    in.write("printf '\\n%s%%s\\n' $?\n".formatted(END));
    in.flush();
    List<String> lines = new ArrayList<>();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(END)) {
        return new Result(Integer.parseInt(line.substring(END.length())), lines);
      }
      lines.add(ESCAPES.matcher(line).replaceAll("").replaceFirst("^kiln> ", ""));
    }
    throw new IOException("the shell has ended at: " + command + "\n" + lines);
  }

  /// Ends it, and all that it has started.
  @Override
  public void close() throws IOException {
    shell.toHandle().destroyForcibly(); // which leaves the streams open
    while (out.readLine() != null) {
      // The last process that could print has ended when there is nothing more to come.
    }
    out.close();
  }
}
