package io.kiln.base.resource;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Patterns of paths: `*`, `?`, `[abc]`, `[a-z]`, `[^a]`, `{a,b}` (also nested, also across `/`),
/// and `\` before a character that stands for itself. What is no pattern gets an
/// [IllegalArgumentException] that says why.
public final class Glob {

  private Glob() {}

  /// The parts between the commas that are outside of braces.
  public static List<String> splitAtCommas(String list) {
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
  private static List<String> expandBraces(String pattern) {
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

  /// Whether a path is more than a name.
  public static boolean isPattern(String path) {
    return path.indexOf('{') >= 0 || hasWildcard(path);
  }

  private static boolean hasWildcard(String component) {
    for (int i = 0; i < component.length(); i++) {
      char c = component.charAt(i);
      if (c == '*' || c == '?' || c == '[' || c == '\\') {
        return true;
      }
    }
    return false;
  }

  /// What is there that matches, sorted.
  ///
  /// @param pattern an absolute path
  /// @param hidden the names that a pattern matches only if it says so: if it is hidden itself
  /// @throws IllegalArgumentException if it is no pattern
  /// @throws IOException if a directory can't be listed
  public static List<Path> find(String pattern, Predicate<String> hidden) throws IOException {
    Set<Path> matches = new LinkedHashSet<>();
    for (String plain : expandBraces(pattern)) {
      match(Path.of("/"), plain.split("/"), 1, hidden, matches);
    }
    List<Path> sorted = new ArrayList<>(matches);
    Collections.sort(sorted);
    return sorted;
  }

  private static void match(
      Path directory, String[] components, int next, Predicate<String> hidden, Set<Path> matches)
      throws IOException {
    if (next == components.length) {
      matches.add(directory);
      return;
    }
    String component = components[next];
    if (!hasWildcard(component)) {
      Path child = directory.resolve(component);
      if (Files.exists(child)) {
        match(child, components, next + 1, hidden, matches);
      }
      return;
    }
    if (!Files.isDirectory(directory)) {
      return;
    }
    Pattern pattern = compile(component);
    boolean mayBeHidden = hidden.test(component);
    try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
      for (Path child : children) {
        String name = child.getFileName().toString();
        if ((mayBeHidden || !hidden.test(name)) && pattern.matcher(name).matches()) {
          match(child, components, next + 1, hidden, matches);
        }
      }
    }
  }

  /// A component without braces, compiled.
  private static Pattern compile(String component) {
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
            throw new IllegalArgumentException("nothing follows the last \\");
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
      throw new IllegalArgumentException("a [ has no ]");
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
          throw new IllegalArgumentException("a range in [ ] ends before it begins");
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
    throw new IllegalArgumentException("a { has no }");
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
