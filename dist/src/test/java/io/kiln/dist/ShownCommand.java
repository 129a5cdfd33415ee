package io.kiln.dist;

import java.util.ArrayList;
import java.util.List;

/// A command that a page shows.
///
/// @param text for the shell, of one or several lines
/// @param typed lines at the prompt of the program that it starts
/// @param output lines that are shown to follow, in this order
record ShownCommand(String text, List<String> typed, List<String> output) {

  private static final String PROMPT = "$ ";
  private static final String CONTINUATION = "> ";
  private static final String SHELL_PROMPT = "kiln>";

  /// Of lines with prompts and outputs.
  static List<ShownCommand> ofConsole(List<String> lines) {
    List<ShownCommand> commands = new ArrayList<>();
    int from = 0;
    for (int i = 1; i <= lines.size(); i++) {
      if (i == lines.size() || lines.get(i).startsWith(PROMPT)) {
        commands.add(ofConversation(lines.subList(from, i)));
        from = i;
      }
    }
    return commands;
  }

  private static ShownCommand ofConversation(List<String> lines) {
    if (!lines.getFirst().startsWith(PROMPT)) {
      throw new IllegalArgumentException("no prompt: " + lines.getFirst());
    }
    StringBuilder text = new StringBuilder(lines.getFirst().substring(PROMPT.length()));
    List<String> typed = new ArrayList<>();
    List<String> output = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      if (line.startsWith(CONTINUATION) && output.isEmpty()) {
        text.append('\n').append(line.substring(CONTINUATION.length()));
      } else if (line.startsWith(SHELL_PROMPT)) {
        typed.add(line.substring(SHELL_PROMPT.length()).strip());
      } else {
        output.add(line);
      }
    }
    return new ShownCommand(text.toString(), typed, output);
  }

  /// Of lines without prompts, of which nothing is shown to follow.
  static List<ShownCommand> ofScript(List<String> lines) {
    List<ShownCommand> commands = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      text.append(line);
      if (line.endsWith("\\")) {
        text.append('\n');
      } else {
        commands.add(new ShownCommand(text.toString(), List.of(), List.of()));
        text.setLength(0);
      }
    }
    return commands;
  }

  /// By what is shown of it.
  boolean fails() {
    return typed.isEmpty()
        && output.stream()
            .anyMatch(
                line ->
                    line.startsWith("Error: ")
                        || line.startsWith("Exception in thread ")
                        || line.contains(" is now FAILED: exit code "));
  }

  /// It changes nothing, so it may be asked again until what is shown has come about.
  boolean asks() {
    return text.contains(" --status ") || text.startsWith("grep ") || text.startsWith("curl ");
  }
}
