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

  /// The formatter continues an overlong `///` line as a `//` line; so none is left overlong.
  private static String wrapMarkdownComments(String source) {
    StringBuilder wrapped = new StringBuilder();
    for (String line : source.split("\n", -1)) {
      String rest = line;
      while (rest.stripLeading().startsWith("/// ") && rest.length() > COLUMNS) {
        int comment = rest.indexOf("/// ") + 4;
        int cut = rest.lastIndexOf(' ', COLUMNS);
        if (cut <= comment) {
          break;
        }
        wrapped.append(rest, 0, cut).append('\n');
        rest = rest.substring(0, comment) + rest.substring(cut + 1);
      }
      wrapped.append(rest).append('\n');
    }
    wrapped.setLength(wrapped.length() - 1);
    return wrapped.toString();
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
