package io.kiln.submit.shell;

import io.kiln.api.KilnContext;
import io.kiln.base.classpath.InstalledJars;
import io.kiln.launcher.Refusal;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Completeness;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;

/// Compiles and runs what is typed, and prints what comes of it.
///
/// What is typed is compiled against what an application may see, and nothing else; Hadoop's API,
/// which is big, counts from when it is first named. Used by one thread; only the execution's
/// `stop` is for others. Until closed it keeps compilers warm.
final class Interpreter implements AutoCloseable {

  /// A module import of `java.base` would be shorter, and takes 0.3 s to compile.
  private static final List<String> IMPORTS =
      List.of(
          "import java.io.*;",
          "import java.math.*;",
          "import java.nio.file.*;",
          "import java.util.*;",
          "import java.util.stream.*;",
          "import io.kiln.api.*;");

  private static final String START_ID = "s";

  private static final String HADOOP = "org.apache.hadoop.";

  private final List<File> classPath;
  private final JShell shell;
  private final SourceCodeAnalysis analysis;
  private final SnippetReport report;
  private final AtomicInteger snippets = new AtomicInteger();
  private StandardJavaFileManager files;
  private boolean typed;
  private boolean namesHadoop;

  /// @param classPath what snippets may use besides the JDK
  Interpreter(List<File> classPath, ShellExecution execution, PrintStream out) {
    this.classPath = new ArrayList<>(classPath);
    shell =
        JShell.builder()
            .executionEngine(new ShellExecution.Provider(execution), Map.of())
            .fileManager(this::withClassPath)
            .idGenerator(this::nextId)
            .build();
    analysis = shell.sourceCodeAnalysis();
    report = new SnippetReport(shell, execution, out);
    for (String line : IMPORTS) {
      define(line);
    }
  }

  /// Makes the active context known as `sc`; from now on snippets count as typed.
  void bindContext() {
    String type = KilnContext.class.getSimpleName();
    define(type + " sc = " + type + ".active().orElseThrow();");
    typed = true;
  }

  /// Whether it is the user's own, rather than of the start.
  static boolean isTyped(Snippet snippet) {
    return !snippet.id().startsWith(START_ID);
  }

  private String nextId(Snippet snippet, int index) {
    return typed ? String.valueOf(snippets.incrementAndGet()) : START_ID + index;
  }

  /// @throws Refusal if it doesn't compile or run
  private void define(String source) {
    for (SnippetEvent event : shell.eval(source)) {
      if (event.status() != Snippet.Status.VALID || event.exception() != null) {
        throw new Refusal("The shell could not start: '" + source + "' failed");
      }
    }
  }

  private StandardJavaFileManager withClassPath(StandardJavaFileManager manager) {
    files = manager;
    try {
      files.setLocation(StandardLocation.CLASS_PATH, classPath);
      return files;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void addHadoop() {
    namesHadoop = true;
    try {
      for (URL jar : InstalledJars.in("hadoop")) {
        if (jar.getPath().contains("/hadoop-client-api-")) {
          classPath.add(new File(jar.toURI()));
        }
      }
      files.setLocation(StandardLocation.CLASS_PATH, classPath);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Whether the text is all of a snippet or several, or can't become one.
  boolean isComplete(String text) {
    String rest = text;
    while (!rest.isBlank()) {
      CompletionInfo info = analysis.analyzeCompletion(rest);
      if (info.completeness() == Completeness.DEFINITELY_INCOMPLETE
          || info.completeness() == Completeness.CONSIDERED_INCOMPLETE) {
        return false;
      }
      rest = info.remaining();
    }
    return true;
  }

  /// Runs the snippets in the text one after the other, up to the first that fails.
  ///
  /// @return whether all compiled and none threw
  boolean run(String text) {
    if (!namesHadoop && text.contains(HADOOP)) {
      addHadoop();
    }
    String rest = text;
    while (!rest.isBlank()) {
      CompletionInfo info = analysis.analyzeCompletion(rest);
      boolean whole = info.completeness().isComplete();
      if (info.completeness() != Completeness.EMPTY
          && !report.show(shell.eval(whole ? info.source() : rest))) {
        return false;
      }
      rest = whole ? info.remaining() : "";
    }
    return true;
  }

  JShell shell() {
    return shell;
  }

  SourceCodeAnalysis analysis() {
    return analysis;
  }

  @Override
  public void close() {
    shell.close();
  }
}
