package io.kiln.files;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Patterns of paths: `*`, `?`, `[abc]`, `[a-z]`, `[^a]`, `{a,b}` (also nested, also across `/`),
/// and `\` before a character that stands for itself.
final class Glob {

  private Glob() {}

  /// The parts between the commas that are outside of braces.
  static List<String> splitAtCommas(String list) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int begin = 0;
    for (int i = 0; i < list.length(); i++) {
      switch (list.charAt(i)) {
        case '\\' -> i++;
        case '{' -> depth++;
        case '}' -> depth = Math.max(0, depth - 1);
        case ',' -> {
          if (depth == 0) {
            parts.add(list.substring(begin, i));
            begin = i + 1;
          }
        }
        default -> {}
      }
    }
    parts.add(list.substring(begin));
    return parts;
  }

  /// The patterns without braces that a pattern stands for, in the order in which they are written.
  static List<String> expandBraces(String pattern) {
    int open = indexOfUnescaped(pattern, '{', 0);
    if (open < 0) {
      return List.of(pattern);
    }
    int close = closingBrace(pattern, open);
    List<String> expanded = new ArrayList<>();
    for (String alternative : splitAtCommas(pattern.substring(open + 1, close))) {
      expanded.addAll(
          expandBraces(pattern.substring(0, open) + alternative + pattern.substring(close + 1)));
    }
    return expanded;
  }

  /// Whether one component of a path is more than a name.
  static boolean isPattern(String component) {
    return component.chars().anyMatch(c -> c == '*' || c == '?' || c == '[' || c == '\\');
  }

  /// A component without braces, compiled.
  static Pattern compile(String component) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < component.length(); i++) {
      char c = component.charAt(i);
      switch (c) {
        case '*' -> regex.append(".*");
        case '?' -> regex.append('.');
        case '[' -> i = appendClass(component, i, regex);
        case '\\' -> {
          i++;
          if (i == component.length()) {
            throw FileFailure.badPattern(component, "nothing follows the last \\");
          }
          regex.append(Pattern.quote(component.substring(i, i + 1)));
        }
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  private static int appendClass(String component, int open, StringBuilder regex) {
    int close = component.indexOf(']', open + 2);
    if (close < 0) {
      throw FileFailure.badPattern(component, "a [ has no ]");
    }
    String members = component.substring(open + 1, close);
    boolean negated = members.startsWith("^") || members.startsWith("!");
    if (negated) {
      members = members.substring(1);
    }
    regex.append(negated ? "[^" : "[");
    for (int i = 0; i < members.length(); i++) {
      char c = members.charAt(i);
      if (c == '-' && i > 0 && i < members.length() - 1) {
        if (members.charAt(i - 1) > members.charAt(i + 1)) {
          throw FileFailure.badPattern(component, "a range in [ ] ends before it begins");
        }
        regex.append('-');
      } else {
        regex.append("\\x{").append(Integer.toHexString(c)).append('}');
      }
    }
    regex.append(']');
    return close;
  }

  private static int closingBrace(String pattern, int open) {
    int depth = 0;
    for (int i = open; i < pattern.length(); i++) {
      switch (pattern.charAt(i)) {
        case '\\' -> i++;
        case '{' -> depth++;
        case '}' -> {
          depth--;
          if (depth == 0) {
            return i;
          }
        }
        default -> {}
      }
    }
    throw FileFailure.badPattern(pattern, "a { has no }");
  }

  private static int indexOfUnescaped(String text, char wanted, int from) {
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == wanted) {
        return i;
      }
    }
    return -1;
  }
}
