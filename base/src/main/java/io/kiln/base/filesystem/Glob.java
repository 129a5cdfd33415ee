package io.kiln.base.filesystem;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
  /// @param pattern an absolute path of `files`
  /// @param hidden the names that a pattern matches only if it says so: if it is hidden itself
  /// @throws IllegalArgumentException if it is no pattern
  /// @throws IOException if a directory can't be listed
  public static List<FileStatus> find(FileSystem files, String pattern, Predicate<String> hidden)
      throws IOException {
    Search search = new Search(files, hidden);
    for (String plain : expandBraces(pattern)) {
      int rootLength = FileSystem.rootLength(plain);
      Optional<FileStatus> root = files.find(plain.substring(0, rootLength));
      if (root.isPresent()) {
        search.match(root.get(), plain.substring(rootLength).split("/"), 0);
      }
    }
    return List.copyOf(search.matches.values());
  }

  /// Goes down the tree, a component of the pattern a level.
  private static final class Search {
    private final FileSystem files;
    private final Predicate<String> hidden;
    private final Map<String, FileStatus> matches = new TreeMap<>();

    Search(FileSystem files, Predicate<String> hidden) {
      this.files = files;
      this.hidden = hidden;
    }

    void match(FileStatus at, String[] components, int next) throws IOException {
      if (next == components.length) {
        matches.put(at.path(), at);
        return;
      }
      String component = components[next];
      if (!hasWildcard(component)) {
        Optional<FileStatus> child =
            component.isEmpty()
                ? Optional.of(at)
                : files.find(FileSystem.child(at.path(), component));
        if (child.isPresent()) {
          match(child.get(), components, next + 1);
        }
        return;
      }
      if (!at.isDirectory()) {
        return;
      }
      Pattern pattern = compile(component);
      boolean mayBeHidden = hidden.test(component);
      for (FileStatus child :
          files.list(
              at.path(),
              name -> (mayBeHidden || !hidden.test(name)) && pattern.matcher(name).matches())) {
        match(child, components, next + 1);
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
