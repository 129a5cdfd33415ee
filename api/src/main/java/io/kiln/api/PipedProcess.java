package io.kiln.api;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// A partition through a process of the operating system: a thread feeds it the records, while the
/// task reads what it writes.
final class PipedProcess<T> implements RecordsFunction<T, String> {
  /// What the variables begin with by which an executor is told secrets. A command is somebody
  /// else's program.
  private static final String OF_THE_ENGINE = "_SPARK_";

  private final List<String> command;
  private final Map<String, String> environment;

  PipedProcess(List<String> command, Map<String, String> environment) {
    this.command = command;
    this.environment = environment;
  }

  static void requireCommand(List<String> command) {
    if (command.isEmpty() || command.get(0).isBlank()) {
      throw new KilnException(
          "COMMAND_EMPTY", KilnException.Kind.USER, "pipe was given no command; name a program");
    }
  }

  @Override
  public Records<String> apply(TaskContext task, int index, Records<T> records) {
    return () -> start(task, records);
  }

  private KilnException failed(String how, Throwable cause) {
    return new KilnException(
        "PIPE_FAILED",
        KilnException.Kind.APPLICATION,
        "the command '%s' %s".formatted(String.join(" ", command), how),
        cause);
  }

  private Iterator<String> start(TaskContext task, Records<T> records) {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().keySet().removeIf(name -> name.startsWith(OF_THE_ENGINE));
    builder.environment().putAll(environment);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw failed("can't be started: " + e.getMessage(), e);
    }
    task.onCompletion(process::destroyForcibly);
    CompletableFuture<Void> fed = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("kiln-pipe-" + task.taskAttemptId())
        .start(() -> feed(task, records, process, fed));
    return new LineIterator(process, fed);
  }

  /// The records are computed on the feeding thread, so it acts for the task.
  private static <T> void feed(
      TaskContext task, Records<T> records, Process process, CompletableFuture<Void> fed) {
    TaskContext.setCurrent(task);
    try (BufferedWriter input = process.outputWriter(StandardCharsets.UTF_8)) {
      records.forEach(value -> isWritten(input, String.valueOf(value)));
      fed.complete(null);
    } catch (IOException _) {
      fed.complete(null); // the process reads no more, which is its right
    } catch (Throwable e) { // also an error: the task that waits must hear of it
      fed.completeExceptionally(e);
      process.destroyForcibly();
    } finally {
      TaskContext.setCurrent(null);
    }
  }

  private static boolean isWritten(BufferedWriter input, String line) {
    try {
      input.write(line);
      input.newLine();
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private final class LineIterator implements Iterator<String> {
    private final Process process;
    private final CompletableFuture<Void> fed;
    private final BufferedReader output;
    private String ahead;
    private boolean ended;

    LineIterator(Process process, CompletableFuture<Void> fed) {
      this.process = process;
      this.fed = fed;
      this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    @Override
    public boolean hasNext() {
      if (ahead == null && !ended) {
        try {
          ahead = output.readLine();
        } catch (IOException e) {
          // A process that is destroyed loses its output; why it was is found below.
          ended = true;
          end();
          throw new UncheckedIOException(e);
        }
        if (ahead == null) {
          ended = true;
          end();
        }
      }
      return ahead != null;
    }

    private void end() {
      int code;
      try {
        code = process.waitFor();
        fed.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw failed("was interrupted", e);
      } catch (CompletionException e) {
        if (e.getCause() instanceof Exception cause) {
          throw Unchecked.sneak(cause);
        }
        throw e;
      }
      if (code != 0) {
        throw failed("ended with code " + code, null);
      }
    }

    @Override
    public String next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      String line = ahead;
      ahead = null;
      return line;
    }
  }
}
