package io.kiln.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The masters of a standalone cluster, as `spark.master` names them; one of them leads.
///
/// @param masters `host:port` of each, at least one
public record ClusterUrl(List<String> masters) {
  /// What it begins with.
  public static final String SCHEME = "spark://";

  /// For messages.
  public static final String FORM = "spark://HOST:PORT[,HOST:PORT...]";

  public ClusterUrl {
    masters = List.copyOf(masters);
  }

  /// Parses what has the [#FORM]; the scheme may stand before each.
  ///
  /// @return empty if it does not have it
  public static Optional<ClusterUrl> parse(String text) {
    if (!text.startsWith(SCHEME)) {
      return Optional.empty();
    }
    List<String> masters = new ArrayList<>();
    for (String part : text.substring(SCHEME.length()).split(",", -1)) {
      String address = part.startsWith(SCHEME) ? part.substring(SCHEME.length()) : part.strip();
      int colon = address.lastIndexOf(':');
      boolean isBareIpv6 = address.indexOf(':') != colon && !address.startsWith("[");
      if (colon < 1 || isBareIpv6 || address.indexOf('/') >= 0 || !isPort(address, colon)) {
        return Optional.empty();
      }
      masters.add(address);
    }
    return Optional.of(new ClusterUrl(masters));
  }

  private static boolean isPort(String address, int colon) {
    String port = address.substring(colon + 1);
    return port.matches("[0-9]{1,5}")
        && Integer.parseInt(port) > 0
        && Integer.parseInt(port) <= 0xFFFF;
  }
}
