package io.kiln.submit.shell;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SourceCodeAnalysis.SnippetWrapper;

/// Tells where in what was typed a line is, of which the engine knows only the class that JShell
/// made: `#3:1` is the first line of the third snippet.
final class SnippetPlaces {
  private static final Pattern OF_ENGINE = Pattern.compile("\\$JShell\\$(\\w+\\.java:\\d+)");
  private static final Pattern PLACE = Pattern.compile("[$~]JShell[$~](\\w+)\\.java:(\\d+)");

  private final JShell shell;

  SnippetPlaces(JShell shell) {
    this.shell = shell;
  }

  /// Keeps the places in a value from JShell, which removes the names of its classes from all that
  /// it shows.
  static String protect(String value) {
    return value.contains("$JShell$") ? OF_ENGINE.matcher(value).replaceAll("~JShell~$1") : value;
  }

  /// @param text of the engine's, protected or not
  String translate(String text) {
    return text.contains("JShell")
        ? PLACE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(place(found)))
        : text;
  }

  private String place(MatchResult found) {
    for (Snippet snippet : shell.snippets().toList()) {
      SnippetWrapper wrapper = shell.sourceCodeAnalysis().wrapper(snippet);
      if (wrapper.fullClassName().endsWith(".$JShell$" + found.group(1))) {
        return "#" + snippet.id() + ":" + sourceLine(wrapper, Integer.parseInt(found.group(2)));
      }
    }
    return "#?"; // of a definition that was typed anew since
  }

  /// @param wrapperLine in the class that JShell made of the snippet, from 1
  /// @return in the snippet, from 1
  private static long sourceLine(SnippetWrapper snippet, int wrapperLine) {
    String wrapped = snippet.wrapped();
    int start = 0;
    for (int line = 1; line < wrapperLine; line++) {
      start = wrapped.indexOf('\n', start) + 1;
    }
    while (start < wrapped.length() && Character.isWhitespace(wrapped.charAt(start))) {
      start++;
    }
    String source = snippet.source();
    int position = Math.clamp(snippet.wrappedToSourcePosition(start), 0, source.length());
    return source.substring(0, position).chars().filter(c -> c == '\n').count() + 1;
  }
}
