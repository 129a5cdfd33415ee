package io.kiln.dist;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Compares what a page shows with what was printed: numbers, paths, what hosts and users are
/// called and times are other ones each time, and other lines may stand between. Ids of drivers and
/// applications are remembered: where the page shows one again, the same must come again.
final class ShownOutput {

  private static final String ANY_LINES = "...";

  /// What is different each time: an id, a path, a hash, a number, what is left out, or how far a
  /// driver has come.
  private static final Pattern VARIABLE =
      Pattern.compile(
          "(?<id>(?:driver|app|worker)-\\d{14}-[-\\w.]+)"
              + "|(?<path>(?<![\\w/:])(?:file:)?…?/+[\\w.-]+(?:/[\\w.…-]+)*)"
              + "|(?<hash>\\b(?=[a-f]*\\d)[0-9a-f]{8}(?=\\$))"
              + "|(?<number>\\d+(?:\\.\\d+)*)"
              + "|(?<left>…)"
              + "|(?<state>\\b(?:SUBMITTED|RUNNING)\\.$)");

  private final Map<String, String> ids = new HashMap<>();

  /// With the ids that came in place of those that the page shows.
  String withRealIds(String text) {
    String result = text;
    for (Map.Entry<String, String> id : ids.entrySet()) {
      result = result.replace(id.getKey(), id.getValue());
    }
    return result;
  }

  /// @return the first line that is shown and was not printed after those before it
  Optional<String> missing(List<String> shown, List<String> printed) {
    int next = 0;
    for (String line : shown) {
      if (line.equals(ANY_LINES) || line.strip().equals("…") || line.isBlank()) {
        continue;
      }
      List<String> idsOfLine = new ArrayList<>();
      Pattern pattern = pattern(line.stripTrailing(), idsOfLine);
      Matcher matcher = null;
      while (next < printed.size() && (matcher == null || !matcher.matches())) {
        matcher = pattern.matcher(printed.get(next).stripTrailing());
        next++;
      }
      if (matcher == null || !matcher.matches()) {
        return Optional.of(line);
      }
      for (int i = 0; i < idsOfLine.size(); i++) {
        ids.put(idsOfLine.get(i), matcher.group(i + 1));
      }
    }
    return Optional.empty();
  }

  private Pattern pattern(String line, List<String> newIds) {
    StringBuilder pattern = new StringBuilder();
    Matcher variable = VARIABLE.matcher(line);
    int end = 0;
    while (variable.find()) {
      pattern.append(Pattern.quote(line.substring(end, variable.start())));
      end = variable.end();
      String id = variable.group("id");
      if (id != null && ids.containsKey(id)) {
        pattern.append(Pattern.quote(ids.get(id)));
      } else if (id != null) {
        newIds.add(id);
        pattern.append("([-\\w.]+)");
      } else if (variable.group("path") != null) {
        pattern.append("\\S*/\\S*?");
      } else if (variable.group("hash") != null) {
        pattern.append("[0-9a-f]+");
      } else if (variable.group("number") != null) {
        pattern.append("\\d+(?:\\.\\d+)*");
      } else if (variable.group("left") != null) {
        pattern.append(".*");
      } else {
        pattern.append("(?:SUBMITTED|RUNNING|FINISHED)\\.");
      }
    }
    return Pattern.compile(pattern.append(Pattern.quote(line.substring(end))).toString());
  }
}
