package io.kiln.submit.shell;

import io.kiln.api.KilnException;
import java.util.regex.Pattern;
import jdk.jshell.EvalException;
import jdk.jshell.JShellException;

/// What a snippet that threw leaves on the screen: the exception, then the lines of what was typed
/// that led there, as `#3:1` for the first line of the third snippet.
///
/// Where the engine says no, or tells of a task that failed, its own frames are left out; a fault
/// of the engine's shows all of them.
final class SnippetFailure {

  private static final Pattern LAMBDA = Pattern.compile("lambda\\$.*");

  private final SnippetPlaces places;
  private final ShellExecution execution;

  SnippetFailure(SnippetPlaces places, ShellExecution execution) {
    this.places = places;
    this.execution = execution;
  }

  String text(JShellException exception) {
    Throwable thrown = execution.takeFailure().orElse(exception);
    if (execution.stopRequests() > 0) {
      return "Cancelled\n";
    }
    boolean ofEngine =
        thrown instanceof KilnException ours && ours.kind() != KilnException.Kind.INTERNAL;
    StringBuilder text = new StringBuilder();
    String lead = "Exception ";
    for (Throwable each = exception; each != null; each = each.getCause()) {
      text.append(lead).append(firstLine(each)).append('\n');
      appendFrames(each.getStackTrace(), ofEngine, text);
      lead = "Caused by: ";
    }
    return text.toString();
  }

  private String firstLine(Throwable exception) {
    String name =
        exception instanceof EvalException thrown
            ? thrown.getExceptionClassName()
            : exception.getClass().getName();
    String message = exception.getMessage();
    return message == null ? readable(name) : readable(name) + ": " + places.translate(message);
  }

  private static void appendFrames(
      StackTraceElement[] frames, boolean ofEngine, StringBuilder text) {
    for (StackTraceElement frame : frames) {
      if (isOfSnippet(frame)) {
        String where = frame.getFileName() + ":" + frame.getLineNumber();
        text.append("\tat ").append(place(frame)).append('(').append(where).append(")\n");
      } else if (!ofEngine || isOfProgram(frame)) {
        text.append("\tat ").append(frame).append('\n');
      }
    }
  }

  private static boolean isOfSnippet(StackTraceElement frame) {
    return frame.getFileName() != null && frame.getFileName().startsWith("#");
  }

  private static String place(StackTraceElement frame) {
    String method = LAMBDA.matcher(frame.getMethodName()).replaceFirst("lambda");
    String type = frame.getClassName();
    return type.isEmpty() || method.isEmpty() ? type + method : type + "." + method;
  }

  /// Neither the JDK's, which have a module, nor ours, whose loader has a name.
  private static boolean isOfProgram(StackTraceElement frame) {
    return frame.getModuleName() == null && frame.getClassLoaderName() == null;
  }

  /// A class that was typed goes by the name that it was typed with.
  private static String readable(String className) {
    int wrapper = className.lastIndexOf("$JShell$");
    int end = wrapper < 0 ? -1 : className.indexOf('$', wrapper + "$JShell$".length());
    return end < 0 ? className : className.substring(end + 1);
  }
}
