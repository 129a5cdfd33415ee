package io.kiln.submit.shell;

/// What the compiler says of a snippet, with the line and a mark under the culprit.
final class SourceError {

  private SourceError() {}

  /// @param start, end offsets into the source of what is at fault
  /// @param message of the compiler; all but its first line are details
  static String text(String source, int start, int end, String message) {
    int at = Math.clamp(start, 0, source.length());
    int lineStart = source.lastIndexOf('\n', at - 1) + 1;
    int lineEnd = source.indexOf('\n', at);
    String line = source.substring(lineStart, lineEnd < 0 ? source.length() : lineEnd);
    int marks = Math.clamp((long) end - at, 1, Math.max(1, lineStart + line.length() - at));
    String expanded = line.replace('\t', ' ');
    StringBuilder text = new StringBuilder("Error: ");
    text.append(onOneLine(message)).append('\n');
    text.append("  ").append(expanded).append('\n');
    text.append("  ").repeat(' ', at - lineStart).repeat('^', marks).append('\n');
    return text.toString();
  }

  /// The compiler adds lines such as `symbol:   variable x` and `location: class`, of which the
  /// second says nothing here.
  private static String onOneLine(String message) {
    StringBuilder text = new StringBuilder();
    for (String line : message.strip().split("\\R")) {
      String part = line.strip().replaceAll("\\s+", " ");
      if (part.startsWith("symbol: ")) {
        text.append(part, "symbol".length(), part.length());
      } else if (!part.startsWith("location: class")) {
        text.append(text.isEmpty() ? "" : "; ").append(part);
      }
    }
    return text.toString();
  }
}
