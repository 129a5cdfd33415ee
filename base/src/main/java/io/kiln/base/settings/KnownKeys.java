package io.kiln.base.settings;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The keys that users of Apache Spark know and this engine does not honour yet. Read only when a
/// user sets a key that isn't registered.
final class KnownKeys {
  private static final String RESOURCE = "unsupported-settings.tsv";

  /// Open-ended families that are honoured: keys with these beginnings are made up by users.
  private static final List<String> OPEN_FAMILIES =
      List.of("spark.hadoop.", "spark.executorEnv.", "spark.kiln.driverEnv.");

  /// Open-ended families that are not, with the reason.
  private static final Map<String, String> UNSUPPORTED_FAMILIES =
      Map.of(
          "spark.yarn.appMasterEnv.", "it belongs to running on YARN",
          "spark.kubernetes.", "it belongs to running on Kubernetes",
          "spark.metrics.conf.", "it belongs to metrics and plug-ins",
          "spark.ssl.ui.", "it belongs to the web UI",
          "spark.ssl.historyServer.", "it belongs to event logs and the history server",
          "spark.ssl.standalone.",
              "masters and workers have HTTPS on the ports that they have for HTTP");

  /// Key to the part that will honour it.
  private static final Map<String, String> UNSUPPORTED = read();

  private KnownKeys() {}

  /// What to tell a user who set a key that isn't registered; nothing if it is the user's own: one
  /// that resembles no known key.
  static Optional<String> explain(String key) {
    String part = UNSUPPORTED.get(key);
    if (part != null) {
      return Optional.of(key + " has no effect yet: " + part);
    }
    if (OPEN_FAMILIES.stream().anyMatch(key::startsWith)) {
      return Optional.empty();
    }
    for (Map.Entry<String, String> family : UNSUPPORTED_FAMILIES.entrySet()) {
      if (key.startsWith(family.getKey())) {
        return Optional.of(key + " has no effect yet: " + family.getValue());
      }
    }
    Optional<String> near = nearest(key);
    return near.isPresent()
        ? Optional.of(key + " is not a known setting; did you mean " + near.get() + "?")
        : Optional.empty();
  }

  static Map<String, String> unsupported() {
    return UNSUPPORTED;
  }

  /// The known key with the fewest letters to change, if they are few: at most a letter in eight of
  /// what follows `spark.`, and at most three.
  private static Optional<String> nearest(String key) {
    int limit = Math.min(3, Math.max(1, (key.length() - 6) / 8));
    String best = null;
    int bestDistance = limit + 1;
    for (Iterable<String> keys : List.of(SettingRegistry.keys(), UNSUPPORTED.keySet())) {
      for (String known : keys) {
        int distance = EditDistance.between(key, known, Math.min(limit, bestDistance));
        if (distance < bestDistance
            || (distance == bestDistance && best != null && known.compareTo(best) < 0)) {
          best = known;
          bestDistance = distance;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  private static Map<String, String> read() {
    Map<String, String> keys = new HashMap<>(1024);
    try (InputStream in = KnownKeys.class.getResourceAsStream(RESOURCE);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        int tab = line.indexOf('\t');
        keys.put(line.substring(0, tab), line.substring(tab + 1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return keys;
  }
}
