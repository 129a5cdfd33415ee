package io.kiln.submit.shell;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Carries out what comes in, Java or a command of the shell's own. Used by one thread.
final class Session {
  private final Interpreter interpreter;
  private final ShellCommands commands;
  private final PrintStream out;

  Session(Interpreter interpreter, PrintStream out) {
    this.interpreter = interpreter;
    this.commands = new ShellCommands(interpreter.shell(), out);
    this.out = out;
  }

  /// Whether the user has asked to leave.
  boolean hasEnded() {
    return commands.exitAsked();
  }

  /// Whether the text can be carried out, rather than needing another line.
  boolean isComplete(String text) {
    return ShellCommands.isCommand(text) || interpreter.isComplete(text);
  }

  /// @return whether all of it was done
  boolean run(String text) {
    if (!ShellCommands.isCommand(text)) {
      return interpreter.run(text);
    }
    String file = ShellCommands.fileToOpen(text);
    return file.isEmpty() ? commands.run(text) : runFile(file);
  }

  /// @return whether the file could be read, all compiled and nothing threw
  boolean runFile(String name) {
    try (BufferedReader lines = Files.newBufferedReader(Path.of(name))) {
      return runLines(lines);
    } catch (NoSuchFileException e) {
      out.println("Error: " + name + " does not exist");
    } catch (IOException | UncheckedIOException e) {
      out.println("Error: " + name + " cannot be read: " + e.getMessage());
    }
    return false;
  }

  /// Runs each snippet as soon as its last line is there, until the end or the user leaves. One
  /// that fails doesn't keep the next from running.
  ///
  /// A line that begins with a dot goes on with the snippet before it, if it is there already when
  /// that could run: in a file it always is.
  ///
  /// @return whether all compiled and nothing threw
  boolean runLines(BufferedReader lines) throws IOException {
    boolean good = true;
    StringBuilder pending = new StringBuilder();
    String line = lines.readLine();
    while (line != null && !hasEnded()) {
      pending.append(line).append('\n');
      String next = null;
      boolean peeked = lines.ready();
      if (peeked) {
        next = lines.readLine();
      }
      boolean goesOn = next != null && next.strip().startsWith(".");
      if (!goesOn && isComplete(pending.toString())) {
        good &= run(pending.toString());
        pending.setLength(0);
      }
      line = peeked ? next : lines.readLine();
    }
    if (!hasEnded() && !pending.isEmpty()) {
      good &= run(pending.toString()); // what is not whole gets the compiler's error
    }
    return good;
  }
}
