package io.kiln.submit.shell;

import io.kiln.api.KilnContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;

/// Reads from a terminal until the user leaves. Runs on the main thread; Ctrl-C while a snippet
/// runs comes on a thread of its own.
final class Conversation {
  private static final String PROMPT = "kiln> ";
  private static final String CONTINUATION_PROMPT = "    | ";
  private static final int INTERRUPTED_EXIT_CODE = 130;

  private final Session session;
  private final Interpreter interpreter;
  private final ShellExecution execution;

  Conversation(Session session, Interpreter interpreter, ShellExecution execution) {
    this.session = session;
    this.interpreter = interpreter;
    this.execution = execution;
  }

  /// @return that it ended as the user wished
  boolean run(List<String> scripts) throws IOException {
    try (Terminal terminal = terminal()) {
      terminal.handle(Signal.INT, _ -> interrupt());
      Thread restore = new Thread(() -> restore(terminal), "kiln-shell-restore-terminal");
      Runtime.getRuntime().addShutdownHook(restore);
      LineReader reader = reader(terminal);
      greet();
      for (String script : scripts) {
        boolean _ = session.runFile(script); // what is wrong was shown
      }
      converse(reader);
    }
    return true;
  }

  /// The terminal's library looks for its parts by the thread's loader, and the program's has none.
  private static Terminal terminal() throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader program = thread.getContextClassLoader();
    thread.setContextClassLoader(Conversation.class.getClassLoader());
    try {
      return TerminalBuilder.builder().system(true).build();
    } finally {
      thread.setContextClassLoader(program);
    }
  }

  private void converse(LineReader reader) {
    while (!session.hasEnded()) {
      try {
        boolean _ = session.run(reader.readLine(PROMPT)); // what is wrong was shown
      } catch (UserInterruptException e) {
        // the line is dropped
      } catch (EndOfFileException e) {
        return;
      }
    }
  }

  private LineReader reader(Terminal terminal) throws IOException {
    LineReader reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("kiln")
            .parser(new SnippetParser(session, interpreter.analysis()))
            .completer(new SnippetCompleter())
            .variable(LineReader.HISTORY_FILE, historyFile())
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, CONTINUATION_PROMPT)
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true) // ! is Java's
            .build();
    // What a snippet printed may not have ended its line.
    reader
        .getWidgets()
        .put(
            LineReader.CALLBACK_INIT,
            () -> {
              reader.callWidget(LineReader.FRESH_LINE);
              return true;
            });
    return reader;
  }

  /// Nobody else may read what was typed.
  private static Path historyFile() throws IOException {
    Path home = Path.of(System.getProperty("user.home"));
    Path file = home.resolve(".kiln_history");
    if (!Files.exists(file)
        && Files.isWritable(home)
        && file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    return file;
  }

  private static void greet() {
    KilnContext context = KilnContext.active().orElseThrow();
    System.out.printf(
        "Kiln %s, on Java %s%nMaster %s, application %s; sc is its KilnContext%n"
            + "Type Java. TAB completes, /help lists commands, Ctrl-D ends%n",
        context.version(),
        System.getProperty("java.version"),
        context.master(),
        context.applicationId());
  }

  /// Code that neither runs a job nor heeds an interrupt can't be stopped, so the shell can.
  private void interrupt() {
    execution.stop();
    if (execution.stopRequests() == 2) {
      System.out.println("The code goes on all the same; Ctrl-C once more ends the shell");
    } else if (execution.stopRequests() > 2) {
      System.exit(INTERRUPTED_EXIT_CODE);
    }
  }

  private static void restore(Terminal terminal) {
    try {
      terminal.close();
    } catch (IOException e) {
      // the process ends anyway
    }
  }
}
