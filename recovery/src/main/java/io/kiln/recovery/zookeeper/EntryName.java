package io.kiln.recovery.zookeeper;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// How the key of an entry is a node's name: as in a URL's query, where no `/` and no `~` is left.
final class EntryName {
  /// Before the number of a part.
  static final char PART = '~';

  private EntryName() {}

  static String of(String key) {
    return URLEncoder.encode(key, StandardCharsets.UTF_8);
  }

  static String key(String name) {
    return URLDecoder.decode(name, StandardCharsets.UTF_8);
  }

  /// @param part from 0
  static String part(String name, int part) {
    return part == 0 ? name : name + PART + part;
  }
}
