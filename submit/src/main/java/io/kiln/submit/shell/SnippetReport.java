package io.kiln.submit.shell;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.Diag;
import jdk.jshell.ExpressionSnippet;
import jdk.jshell.JShell;
import jdk.jshell.MethodSnippet;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.Status;
import jdk.jshell.SnippetEvent;
import jdk.jshell.TypeDeclSnippet;
import jdk.jshell.UnresolvedReferenceException;
import jdk.jshell.VarSnippet;

/// Prints what came of a snippet: its value, what it defined, or why it failed.
final class SnippetReport {

  /// Longer values are cut: a million records on the screen help nobody.
  private static final int MAX_VALUE_CHARS = 1000;

  private final JShell shell;
  private final ShellExecution execution;
  private final SnippetPlaces places;
  private final PrintStream out;

  SnippetReport(JShell shell, ShellExecution execution, PrintStream out) {
    this.shell = shell;
    this.execution = execution;
    this.places = new SnippetPlaces(shell);
    this.out = out;
  }

  /// @return whether it compiled and threw nothing
  boolean show(List<SnippetEvent> events) {
    boolean good = true;
    for (SnippetEvent event : events) {
      if (event.causeSnippet() != null) {
        showConsequence(event);
      } else {
        good &= showOutcome(event);
      }
    }
    return good;
  }

  private boolean showOutcome(SnippetEvent event) {
    if (event.status() == Status.REJECTED) {
      showErrors(event.snippet());
      return false;
    }
    if (event.exception() instanceof UnresolvedReferenceException unresolved) {
      DeclarationSnippet needy = unresolved.getSnippet();
      out.println("Error: " + described(needy) + " can't be used before there is " + needs(needy));
      return false;
    }
    if (event.exception() != null) {
      out.print(new SnippetFailure(places, execution).text(event.exception()));
      return false;
    }
    switch (event.snippet()) {
      case VarSnippet variable -> showValue(variable.typeName(), variable.name(), event.value());
      case ExpressionSnippet expression ->
          showValue(expression.typeName(), expression.name(), event.value());
      case MethodSnippet method -> showDefined(event, method);
      case TypeDeclSnippet type -> showDefined(event, type);
      default -> {} // an import or a statement has nothing to show
    }
    return true;
  }

  private void showErrors(Snippet snippet) {
    for (Diag diagnostic : shell.diagnostics(snippet).toList()) {
      if (diagnostic.isError()) {
        out.print(
            SourceError.text(
                snippet.source(),
                (int) diagnostic.getStartPosition(),
                (int) diagnostic.getEndPosition(),
                diagnostic.getMessage(Locale.ROOT)));
      }
    }
  }

  private void showValue(String type, String name, String value) {
    if (value != null && !value.isEmpty()) {
      out.println(type + " " + name + " = " + places.translate(shortened(value)));
    }
  }

  static String shortened(String value) {
    return value.length() <= MAX_VALUE_CHARS
        ? value
        : value.substring(0, MAX_VALUE_CHARS)
            + String.format("… (%,d characters in all)", value.length());
  }

  private void showDefined(SnippetEvent event, DeclarationSnippet snippet) {
    String verb = event.previousStatus() == Status.NONEXISTENT ? "Defined " : "Redefined ";
    String condition =
        event.status() == Status.VALID ? "" : ", to be used once there is " + needs(snippet);
    out.println(verb + described(snippet) + condition);
  }

  private static String described(DeclarationSnippet snippet) {
    return switch (snippet) {
      case MethodSnippet method -> "method " + method.name() + "(" + method.parameterTypes() + ")";
      case TypeDeclSnippet type -> kind(type) + " " + type.name();
      default -> "variable " + snippet.name();
    };
  }

  static String kind(TypeDeclSnippet type) {
    return switch (type.subKind()) {
      case INTERFACE_SUBKIND -> "interface";
      case ENUM_SUBKIND -> "enum";
      case RECORD_SUBKIND -> "record";
      case ANNOTATION_TYPE_SUBKIND -> "annotation";
      default -> "class";
    };
  }

  /// What it uses and nobody has defined.
  private String needs(DeclarationSnippet snippet) {
    return shell.unresolvedDependencies(snippet).collect(Collectors.joining(" and "));
  }

  /// A snippet was compiled anew because another was redefined.
  private void showConsequence(SnippetEvent event) {
    if (event.snippet() instanceof DeclarationSnippet changed) {
      if (event.status() == Status.RECOVERABLE_NOT_DEFINED || event.status() == Status.REJECTED) {
        out.println("That breaks " + described(changed) + ": " + changed.source().strip());
      } else if (changed instanceof VarSnippet && event.status() == Status.VALID) {
        out.println("That puts " + described(changed) + " back to its default, null or 0");
      }
    }
  }
}
