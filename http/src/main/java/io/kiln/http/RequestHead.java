package io.kiln.http;

import java.util.Optional;
import java.util.function.Function;

/// A request without its body.
///
/// @param path as it was sent, without a query
/// @param headers the first of a name, in whatever case
public record RequestHead(String method, String path, Function<String, Optional<String>> headers) {
  public Optional<String> header(String name) {
    return headers.apply(name);
  }
}
