package io.kiln.submit.shell;

import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/// Offers the line editor what [SnippetParser] found.
final class SnippetCompleter implements Completer {

  @Override
  public void complete(LineReader reader, ParsedLine parsed, List<Candidate> candidates) {
    if (parsed instanceof SnippetLine line) {
      for (String suggestion : line.suggestions()) {
        candidates.add(new Candidate(suggestion, suggestion, null, null, null, null, false));
      }
    }
  }
}
