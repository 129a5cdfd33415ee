package io.kiln.base.filesystem;

import io.kiln.api.KilnException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads what users write for a local file: a path, relative or absolute, or a `file:` URI without
/// escapes.
final class LocalPath {
  private static final Pattern SCHEME =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):.*", Pattern.DOTALL);
  private static final String FILE_SCHEME = "file";

  private LocalPath() {}

  /// Absolute, glob characters untouched.
  ///
  /// @throws io.kiln.api.KilnException `SCHEME_UNSUPPORTED` if it isn't local
  static String absolute(String text) {
    return Path.of(withoutScheme(text)).toAbsolutePath().normalize().toString();
  }

  /// As records show it to users: with the scheme.
  static String uri(String absolutePath) {
    return FILE_SCHEME + ":" + absolutePath;
  }

  private static String withoutScheme(String text) {
    Matcher matcher = SCHEME.matcher(text);
    if (!matcher.matches()) {
      return text;
    }
    String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
    if (!scheme.equals(FILE_SCHEME)) {
      // A file whose name has a colon is a file if it is there; URIs have a slash after the scheme.
      boolean isPlainName =
          text.charAt(scheme.length() + 1 < text.length() ? scheme.length() + 1 : 0) != '/';
      if (isPlainName && Path.of(text).toFile().exists()) {
        return text;
      }
      throw leadsElsewhere("the scheme '" + scheme + "'", text);
    }
    String rest = text.substring(FILE_SCHEME.length() + 1);
    if (!rest.startsWith("//")) {
      return rest;
    }
    int pathBegin = rest.indexOf('/', 2);
    String authority = pathBegin < 0 ? rest.substring(2) : rest.substring(2, pathBegin);
    if (pathBegin < 0 || !(authority.isEmpty() || authority.equals("localhost"))) {
      throw leadsElsewhere("the host '" + authority + "'", text);
    }
    return rest.substring(pathBegin);
  }

  private static KilnException leadsElsewhere(String where, String path) {
    return new KilnException(
        "SCHEME_UNSUPPORTED",
        KilnException.Kind.USER,
        "can't use '"
            + path
            + "': no local file has "
            + where
            + "; use a local path, a file: URI, or a URI with a slash after its scheme");
  }
}
