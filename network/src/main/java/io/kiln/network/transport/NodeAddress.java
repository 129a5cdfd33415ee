package io.kiln.network.transport;

import io.kiln.api.KilnException;
import java.net.InetSocketAddress;

/// Where a process listens, as others reach it.
///
/// @param host a name, or an IP address without brackets
/// @param port from 1 to 65535
public record NodeAddress(String host, int port) {

  public NodeAddress {
    if (host.isEmpty() || port < 1 || port > 0xFFFF) {
      throw new IllegalArgumentException(host + ":" + port + " is no address");
    }
  }

  /// Parses `host:port` or `[IPv6 address]:port`.
  ///
  /// @throws KilnException `ADDRESS_INVALID`
  public static NodeAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      throw invalid(text, "an IPv6 address stands in brackets");
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (host.isEmpty() || port < 1 || port > 0xFFFF) {
        throw invalid(text, "it is not host:port with a port from 1 to 65535");
      }
      return new NodeAddress(host, port);
    } catch (NumberFormatException e) {
      throw invalid(text, "it is not host:port with a port from 1 to 65535");
    }
  }

  private static KilnException invalid(String text, String why) {
    return new KilnException(
        "ADDRESS_INVALID",
        KilnException.Kind.USER,
        "'" + text + "' is no address: " + why + "; give it as in 'node7:7077' or '[::1]:7077'");
  }

  /// Looks the name up; may block.
  InetSocketAddress resolved() {
    return new InetSocketAddress(host, port);
  }

  // what a record has by itself is made at run time, which a start would wait for

  @Override
  public boolean equals(Object other) {
    return other instanceof NodeAddress that && port == that.port && host.equals(that.host);
  }

  @Override
  public int hashCode() {
    return 31 * host.hashCode() + port;
  }

  /// As [#parse] takes it.
  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
