package io.kiln.launcher;

import java.util.ArrayList;
import java.util.List;

/// Splits a line of JVM options into words as a shell would.
///
/// White space separates words. Single quotes keep all that is between them; double quotes do too,
/// but a backslash there still escapes `"` and `\`. Outside quotes a backslash keeps the next
/// character. Nothing is expanded.
public final class OptionWords {

  private OptionWords() {}

  /// @throws Refusal if a quote is left open
  public static List<String> split(String line, String what) {
    List<String> words = new ArrayList<>();
    StringBuilder word = null;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean hasNext = i + 1 < line.length();
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else if (quote == '"' && c == '\\' && hasNext && isQuotable(line.charAt(i + 1))) {
          word.append(line.charAt(++i));
        } else {
          word.append(c);
        }
      } else if (Character.isWhitespace(c)) {
        if (word != null) {
          words.add(word.toString());
          word = null;
        }
      } else {
        if (word == null) {
          word = new StringBuilder();
        }
        if (c == '"' || c == '\'') {
          quote = c;
        } else if (c == '\\' && hasNext) {
          word.append(line.charAt(++i));
        } else {
          word.append(c);
        }
      }
    }
    if (quote != 0) {
      throw new Refusal(what + " has a quote " + quote + " that is never closed");
    }
    if (word != null) {
      words.add(word.toString());
    }
    return words;
  }

  private static boolean isQuotable(char c) {
    return c == '"' || c == '\\';
  }
}
