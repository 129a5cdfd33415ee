import com.google.googlejavaformat.java.Formatter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Formats the project's Java sources. `apply` rewrites what differs; `check` lists it and exits with 1.
///
/// Only files changed since the last clean run are looked at.
final class Format {
  private static final int COLUMNS = 100;

  public static void main(String[] args) throws Exception {
    boolean apply = args[0].equals("apply");
    Path root = Path.of(args[1]);
    Path stamp = root.resolve("target/format/stamp");
    FileTime last = Files.exists(stamp) ? Files.getLastModifiedTime(stamp) : FileTime.fromMillis(0);
    FileTime started = FileTime.fromMillis(System.currentTimeMillis());
    Formatter formatter = new Formatter();
    List<Path> differing = new ArrayList<>();
    for (Path file : changedSince(last, root)) {
      String before = Files.readString(file);
      String after = formatter.formatSourceAndFixImports(wrapMarkdownComments(before));
      if (!after.equals(before)) {
        differing.add(root.relativize(file));
        if (apply) {
          Files.writeString(file, after);
        }
      }
    }
    if (!apply && !differing.isEmpty()) {
      System.err.println("Not formatted (run 'mvn process-sources' to format): " + differing);
      System.exit(1);
    }
    Files.createDirectories(stamp.getParent());
    Files.write(stamp, new byte[0]);
    Files.setLastModifiedTime(stamp, started);
  }

  /// The formatter continues an overlong `///` line as a `//` line; so none is left overlong: what
  /// is too much goes to the beginning of the next line of the paragraph.
  private static String wrapMarkdownComments(String source) {
    List<String> lines = new ArrayList<>(List.of(source.split("\n", -1)));
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int text = line.indexOf("/// ") + "/// ".length();
      int cut = line.lastIndexOf(' ', COLUMNS);
      if (line.length() <= COLUMNS || !line.stripLeading().startsWith("/// ") || cut <= text) {
        continue;
      }
      String start = line.substring(0, text);
      String tooMuch = line.substring(cut + 1);
      lines.set(i, line.substring(0, cut));
      boolean goesOn =
          i + 1 < lines.size()
              && lines.get(i + 1).startsWith(start)
              && Character.isLetter(lines.get(i + 1).charAt(text));
      if (goesOn) {
        lines.set(i + 1, start + tooMuch + " " + lines.get(i + 1).substring(text));
      } else {
        lines.add(i + 1, start + tooMuch);
      }
    }
    return String.join("\n", lines);
  }

  private static List<Path> changedSince(FileTime time, Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path sources : modules.map(module -> module.resolve("src")).filter(Files::isDirectory).toList()) {
        try (Stream<Path> files = Files.walk(sources)) {
          for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
            if (Files.getLastModifiedTime(file).compareTo(time) >= 0) {
              found.add(file);
            }
          }
        }
      }
    }
    return found;
  }
}
