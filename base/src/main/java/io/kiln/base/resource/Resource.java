package io.kiln.base.resource;

import io.kiln.api.KilnException;
import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// One file, jar or archive, as a user names it: a path, a `file:` or `local:` URI, or an `http:`
/// or
/// `https:` one, and after a `#` what it shall be called here.
///
/// @param location the path or URI, without what follows the `#`
/// @param alias what follows the `#`; empty if there is none
public record Resource(String location, String alias) {

  /// Code of the error when a location can't be one.
  public static final String INVALID = "RESOURCE_INVALID";

  /// Code of the error when nothing here can read from such a place.
  public static final String SCHEME_UNSUPPORTED = "SCHEME_UNSUPPORTED";

  /// A file that has exactly this name is meant, whatever `#` or `:` the name has.
  ///
  /// @throws KilnException `RESOURCE_INVALID` if the alias is no plain name
  public static Resource parse(String text) {
    int hash = text.lastIndexOf('#');
    if (hash < 0 || new File(text).exists()) {
      return new Resource(text, "");
    }
    String alias = text.substring(hash + 1);
    if (alias.isEmpty() || alias.equals(".") || alias.equals("..") || alias.indexOf('/') >= 0) {
      throw invalid(text, "what follows the # must be a name, without a /");
    }
    return new Resource(text.substring(0, hash), alias);
  }

  /// Whether each machine has it under the same path, so that nobody need send it.
  public boolean isOnEachMachine() {
    return scheme().equals("local");
  }

  /// Whether it must be fetched.
  public boolean isRemote() {
    String scheme = scheme();
    return scheme.equals("http") || scheme.equals("https");
  }

  /// @return in small letters; empty for a plain path
  private String scheme() {
    int colon = location.indexOf(':');
    if (colon < 2 || new File(location).exists()) {
      return "";
    }
    for (int i = 0; i < colon; i++) {
      char c = location.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && !(i > 0 && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'))) {
        return "";
      }
    }
    return location.substring(0, colon).toLowerCase(java.util.Locale.ROOT);
  }

  /// The path that is meant; nothing need be there. Glob characters are untouched.
  ///
  /// @throws KilnException `SCHEME_UNSUPPORTED` if it isn't on this machine, `RESOURCE_INVALID` if
  ///     it can't be a path
  public Path path() {
    String scheme = scheme();
    try {
      return switch (scheme) {
        case "" -> Path.of(location);
        case "file", "local" -> Path.of(pathOfUri(scheme));
        default -> throw unsupported(scheme);
      };
    } catch (InvalidPathException e) {
      throw invalid(location, "it is no path: " + e.getReason());
    }
  }

  private String pathOfUri(String scheme) {
    String rest = location.substring(scheme.length() + 1);
    if (rest.startsWith("//")) {
      int slash = rest.indexOf('/', 2);
      String host = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
      if (slash < 0 || !(host.isEmpty() || host.equals("localhost"))) {
        throw invalid(location, "it names the host " + host + "; write " + scheme + ":/PATH");
      }
      rest = rest.substring(slash);
    }
    if (rest.indexOf('%') < 0) {
      return rest;
    }
    try {
      String path = new URI(rest).getPath();
      return path == null ? rest : path;
    } catch (URISyntaxException e) {
      return rest; // not escaped, as a glob may not be
    }
  }

  private KilnException unsupported(String scheme) {
    String advice =
        scheme.equals("ivy")
            ? "name Maven coordinates by --packages"
            : "use a path, file:, local:, http: or https:, or copy it here first";
    return new KilnException(
        SCHEME_UNSUPPORTED,
        KilnException.Kind.USER,
        shown() + " can't be read: " + scheme + ": is not supported in this version; " + advice);
  }

  /// Where it is fetched from.
  ///
  /// @throws KilnException `RESOURCE_INVALID`
  public URI uri() {
    try {
      URI uri = new URI(location.replace(" ", "%20"));
      if (uri.getHost() == null) {
        throw invalid(shown(), "it names no host");
      }
      return uri;
    } catch (URISyntaxException e) {
      throw invalid(shown(), "it is no URI: " + e.getReason());
    }
  }

  /// What it is called here: the alias, else the last part of its location.
  public String name() {
    return alias.isEmpty() ? fileName() : alias;
  }

  /// The last part of its location, which tells what kind of file it is.
  ///
  /// @throws KilnException `RESOURCE_INVALID` if there is none
  public String fileName() {
    String path = isRemote() ? uri().getPath() : path().toAbsolutePath().normalize().toString();
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (name.isEmpty() || name.equals("..")) {
      throw invalid(shown(), "it does not end with the name of a file");
    }
    return name;
  }

  /// For people: without a password or token that a URI may hold.
  public String shown() {
    return shown(location);
  }

  static String shown(String location) {
    int query = location.indexOf('?');
    int scheme = location.indexOf("://");
    if (scheme < 0) {
      return location;
    }
    String visible = query > scheme ? location.substring(0, query) : location;
    int host = scheme + 3;
    int slash = visible.indexOf('/', host);
    int at = visible.lastIndexOf('@', slash < 0 ? visible.length() : slash);
    return at < host ? visible : visible.substring(0, host) + visible.substring(at + 1);
  }

  private static KilnException invalid(String text, String why) {
    return new KilnException(INVALID, KilnException.Kind.USER, text + " can't be used: " + why);
  }
}
