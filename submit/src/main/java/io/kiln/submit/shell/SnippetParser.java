package io.kiln.submit.shell;

import java.util.ArrayList;
import java.util.List;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Suggestion;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/// Tells the line editor whether Enter ends a snippet, and what TAB may put at the cursor.
final class SnippetParser implements Parser {
  private final Session session;
  private final SourceCodeAnalysis analysis;

  SnippetParser(Session session, SourceCodeAnalysis analysis) {
    this.session = session;
    this.analysis = analysis;
  }

  @Override
  public ParsedLine parse(String text, int cursor, ParseContext context) {
    if (context == ParseContext.ACCEPT_LINE && !session.isComplete(text)) {
      throw new EOFError(-1, -1, "the snippet goes on");
    }
    if (context != ParseContext.COMPLETE) {
      return new SnippetLine(text, cursor, cursor, List.of());
    }
    if (ShellCommands.isCommand(text) || text.equals("/")) {
      return new SnippetLine(text, cursor, 0, ShellCommands.NAMES);
    }
    int[] start = {cursor};
    List<String> words = new ArrayList<>();
    for (Suggestion suggestion : analysis.completionSuggestions(text, cursor, start)) {
      words.add(suggestion.continuation());
    }
    return new SnippetLine(text, cursor, start[0], words);
  }
}
