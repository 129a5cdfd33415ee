package io.kiln.submit.shell;

import java.io.PrintStream;
import java.util.List;
import jdk.jshell.JShell;
import jdk.jshell.MethodSnippet;
import jdk.jshell.Snippet;
import jdk.jshell.TypeDeclSnippet;
import jdk.jshell.VarSnippet;

/// What can be typed besides Java: it begins with `/` or, as in other shells, with `:`.
final class ShellCommands {
  static final List<String> NAMES =
      List.of("/help", "/vars", "/methods", "/types", "/list", "/open", "/exit");

  private static final String HELP =
      """
      Type Java: expressions, statements, imports, methods, classes. sc is the KilnContext.
        /vars        the variables, with their types and values
        /methods     the methods
        /types       the classes, records, interfaces and enums
        /list        all that was typed, with the numbers that errors refer to
        /open FILE   run the snippets in a file (also :load)
        /exit        end the shell (also :quit and Ctrl-D)
      TAB completes. Ctrl-C drops the line, or cancels the running jobs.
      """;

  private final JShell shell;
  private final PrintStream out;
  private boolean exitAsked;

  ShellCommands(JShell shell, PrintStream out) {
    this.shell = shell;
    this.out = out;
  }

  boolean exitAsked() {
    return exitAsked;
  }

  /// A comment is none.
  static boolean isCommand(String text) {
    String line = text.strip();
    return line.length() > 1
        && (line.charAt(0) == ':'
            || (line.charAt(0) == '/' && line.charAt(1) != '/' && line.charAt(1) != '*'));
  }

  /// The file whose snippets a command wants to run; empty if that is not what it wants.
  static String fileToOpen(String command) {
    String line = command.strip();
    boolean opens = line.startsWith("/open ") || line.startsWith(":load ");
    return opens ? line.substring("/open ".length()).strip() : "";
  }

  /// @return whether there is such a command
  boolean run(String command) {
    String name = command.strip();
    switch (name.substring(1)) {
      case "help", "?" -> out.print(HELP);
      case "vars" -> shell.variables().filter(this::isUsable).forEach(this::showVariable);
      case "methods" -> shell.methods().filter(this::isUsable).forEach(this::showMethod);
      case "types" -> shell.types().filter(this::isUsable).forEach(this::showType);
      case "list" -> shell.snippets().filter(this::isTyped).forEach(this::showSource);
      case "exit", "quit", "q" -> exitAsked = true;
      case "open", "load" -> {
        out.println("Error: " + name + " needs a file: " + name + " FILE");
        return false;
      }
      default -> {
        out.println("Error: there is no command " + name + "; /help lists those there are");
        return false;
      }
    }
    return true;
  }

  private boolean isUsable(Snippet snippet) {
    return shell.status(snippet) == Snippet.Status.VALID;
  }

  private boolean isTyped(Snippet snippet) {
    return Interpreter.isTyped(snippet) && shell.status(snippet).isActive();
  }

  private void showVariable(VarSnippet variable) {
    String value = SnippetReport.shortened(shell.varValue(variable));
    String type = variable.typeName();
    out.println(type + " " + variable.name() + " = " + new SnippetPlaces(shell).translate(value));
  }

  /// The signature is `(parameters)result`.
  private void showMethod(MethodSnippet method) {
    String signature = method.signature();
    int parametersEnd = signature.lastIndexOf(')') + 1;
    out.println(
        signature.substring(parametersEnd)
            + " "
            + method.name()
            + signature.substring(0, parametersEnd));
  }

  private void showType(TypeDeclSnippet type) {
    out.println(SnippetReport.kind(type) + " " + type.name());
  }

  private void showSource(Snippet snippet) {
    out.println("#" + snippet.id() + ": " + snippet.source().strip());
  }
}
