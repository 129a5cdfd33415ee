package io.kiln.submit.shell;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.launcher.CommandLine;
import io.kiln.launcher.Refusal;
import java.io.BufferedReader;
import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.security.auth.Subject;
import org.slf4j.Logger;

/// The shell's main class, which `submit` runs as it runs any program: with the settings in the
/// system properties and the application's loader on the thread.
///
/// On a terminal it converses; what is piped in is run to its end, and the exit code is 1 if a
/// snippet failed. Either way the context is closed at the end.
public final class SparkShell {

  private SparkShell() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    boolean good;
    try {
      if (ModuleLayer.boot().findModule("jdk.jshell").isEmpty()) {
        throw new Refusal(
            "The shell needs a full JDK, and "
                + System.getProperty("java.home")
                + " has no jdk.jshell: set JAVA_HOME to a JDK");
      }
      good = run(scripts(List.of(arguments)));
    } catch (Refusal | KilnException refusal) {
      System.err.println("Error: " + refusal.getMessage());
      good = false;
    }
    if (!good) {
      System.exit(Refusal.EXIT_CODE);
    }
  }

  private static List<String> scripts(List<String> arguments) {
    List<String> scripts = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i += 2) {
      if (!arguments.get(i).equals(CommandLine.PRELOAD) || i + 1 == arguments.size()) {
        throw new Refusal(
            "The shell takes no arguments, but was given '"
                + arguments.get(i)
                + "': to run a file of snippets first, use "
                + CommandLine.PRELOAD
                + " FILE");
      }
      String file = arguments.get(i + 1);
      if (!Files.isReadable(Path.of(file))) {
        throw new Refusal(
            CommandLine.PRELOAD + " names " + file + ", which does not exist or can't be read");
      }
      scripts.add(file);
    }
    return scripts;
  }

  private static boolean run(List<String> scripts) throws IOException, InterruptedException {
    ClassLoader application = Thread.currentThread().getContextClassLoader();
    ShellClasses classes = new ShellClasses();
    ShellLoader loader = new ShellLoader(classes, application);
    Thread.currentThread().setContextClassLoader(loader);
    ShellExecution execution = new ShellExecution(classes, loader);
    FutureTask<KilnContext> context = startContext();
    try {
      Interpreter interpreter = new Interpreter(classPath(application), execution, System.out);
      // Ctrl-C is to free the slots, whatever the tasks wait for.
      awaitContext(context).setInterruptOnCancel(true);
      interpreter.bindContext();
      Session session = new Session(interpreter, System.out);
      boolean good =
          isOnTerminal()
              ? new Conversation(session, interpreter, execution).run(scripts)
              : runPiped(session, scripts);
      interpreter.close();
      return good;
    } finally {
      KilnContext.active().ifPresent(KilnContext::close);
    }
  }

  @SuppressWarnings("SystemConsoleNull") // from JDK 25 on it is null again without a terminal
  private static boolean isOnTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /// Engine and compiler start side by side.
  private static FutureTask<KilnContext> startContext() {
    Subject user = Subject.current(); // which no thread inherits
    FutureTask<KilnContext> context =
        new FutureTask<>(() -> Subject.callAs(user, () -> KilnContext.create(new KilnConf())));
    Thread thread = new Thread(context, "kiln-shell-start");
    thread.setDaemon(true);
    thread.start(); // inherits this thread's loader
    return context;
  }

  private static KilnContext awaitContext(FutureTask<KilnContext> context)
      throws InterruptedException {
    try {
      return context.get();
    } catch (ExecutionException e) {
      Throwable cause =
          e.getCause() instanceof CompletionException wrapped ? wrapped.getCause() : e.getCause();
      if (cause instanceof KilnException refusal) {
        throw refusal;
      }
      throw new IllegalStateException(cause);
    }
  }

  /// What an application may see, for the compiler: the shared jars, and the application's own.
  private static List<File> classPath(ClassLoader application) {
    List<File> classPath = new ArrayList<>();
    for (Class<?> shared : List.of(KilnContext.class, Refusal.class, Logger.class)) {
      add(shared.getProtectionDomain().getCodeSource().getLocation(), classPath);
    }
    if (application instanceof URLClassLoader jars) {
      for (URL entry : jars.getURLs()) {
        add(entry, classPath);
      }
    }
    return classPath;
  }

  private static void add(URL entry, List<File> classPath) {
    try {
      classPath.add(new File(entry.toURI()));
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new Refusal("The shell can't compile against " + entry + ": " + e.getMessage());
    }
  }

  private static boolean runPiped(Session session, List<String> scripts) throws IOException {
    boolean good = true;
    for (String script : scripts) {
      good &= session.runFile(script);
    }
    Charset encoding = Charset.forName(System.getProperty("stdin.encoding", "UTF-8"));
    good &= session.runLines(new BufferedReader(new InputStreamReader(System.in, encoding)));
    return good;
  }
}
