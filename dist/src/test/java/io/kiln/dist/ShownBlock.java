package io.kiln.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A fenced block of a page of the documents.
///
/// @param section the heading above it
/// @param file the file that the paragraph above names, as in `pom.xml`:, or nothing
/// @param language what stands behind the fence
record ShownBlock(String section, String file, String language, List<String> lines) {

  private static final String FENCE = "```";
  private static final Pattern NAMED_FILE = Pattern.compile("(?:.* )?`([\\w./-]+)`:");

  static List<ShownBlock> of(Path page) throws IOException {
    List<ShownBlock> blocks = new ArrayList<>();
    List<String> lines = Files.readAllLines(page);
    String section = "";
    String above = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith(FENCE)) {
        int end = i + 1 + lines.subList(i + 1, lines.size()).indexOf(FENCE);
        Matcher named = NAMED_FILE.matcher(above);
        blocks.add(
            new ShownBlock(
                section,
                named.matches() ? named.group(1) : "",
                line.substring(FENCE.length()),
                List.copyOf(lines.subList(i + 1, end))));
        i = end;
      } else if (line.startsWith("#")) {
        section = line.replaceFirst("#+ ", "");
      } else if (!line.isBlank()) {
        above = line;
      }
    }
    return blocks;
  }

  String text() {
    return String.join("\n", lines) + "\n";
  }

  /// What is to be typed, and what is shown to follow; empty if this is no block of commands.
  List<ShownCommand> commands() {
    return switch (language) {
      case "console" -> ShownCommand.ofConsole(lines);
      case "sh" -> ShownCommand.ofScript(lines);
      default -> List.of();
    };
  }
}
