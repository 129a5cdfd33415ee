package io.kiln.submit.shell;

import java.util.List;
import org.jline.reader.CompletingParsedLine;

/// A snippet on its way, with what could stand at the cursor. To the editor it is one word, from
/// where a suggestion would begin to the cursor.
///
/// @param wordStart offset of that word in the line
/// @param suggestions for the whole of that word
record SnippetLine(String line, int cursor, int wordStart, List<String> suggestions)
    implements CompletingParsedLine {

  @Override
  public String word() {
    return line.substring(wordStart, cursor);
  }

  @Override
  public int wordCursor() {
    return cursor - wordStart;
  }

  @Override
  public int wordIndex() {
    return 0;
  }

  @Override
  public List<String> words() {
    return List.of(word());
  }

  /// A suggestion is Java as it stands.
  @Override
  public CharSequence escape(CharSequence candidate, boolean complete) {
    return candidate;
  }

  @Override
  public int rawWordCursor() {
    return wordCursor();
  }

  @Override
  public int rawWordLength() {
    return wordCursor();
  }
}
