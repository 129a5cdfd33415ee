package io.kiln.http;

import io.kiln.network.transport.NodeAddress;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// By which names a server is meant. A browser can be made to believe that any name leads here; the
/// page that has done so is told by the name in its requests, which is its own. Immutable,
/// thread-safe.
public final class HostNames {
  private static final String ANY = "*";

  private final Set<String> names = new HashSet<>();
  private final Set<String> given;

  /// @param own by which others are told of this host; addresses are fine
  /// @param given more, as `name`, `name:port` or `*` for all
  public HostNames(Collection<String> own, Collection<String> given) {
    this.given = lowerCase(given);
    names.add("localhost");
    names.addAll(lowerCase(own));
    names.addAll(this.given);
    this.given.forEach(each -> hostOf(each).ifPresent(names::add));
    try {
      names.add(InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT));
    } catch (UnknownHostException e) {
      // it has no name
    }
  }

  private static Set<String> lowerCase(Collection<String> texts) {
    Set<String> all = new HashSet<>();
    texts.forEach(each -> all.add(each.toLowerCase(Locale.ROOT)));
    return all;
  }

  /// @param header `host[:port]`, as a request names whom it is for
  boolean mean(String header) {
    Optional<String> host = hostOf(header);
    return host.isPresent()
        && (names.contains(ANY) || names.contains(host.get()) || address(host.get()).isPresent());
  }

  /// Whether somebody who has named this address has meant this server and no other.
  ///
  /// @param address `host:port`
  /// @param ownPort on which this server listens
  public boolean meanExactly(String address, int ownPort) {
    String named = address.toLowerCase(Locale.ROOT);
    if (given.contains(ANY) || given.contains(named)) {
      return true;
    }
    Optional<String> host = hostOf(named);
    if (host.isEmpty() || !named.endsWith(":" + ownPort)) {
      return false;
    }
    return names.contains(host.get()) || address(host.get()).filter(HostNames::isOwn).isPresent();
  }

  private static boolean isOwn(InetAddress address) {
    try {
      return NetworkInterface.getByInetAddress(address) != null || address.isLoopbackAddress();
    } catch (SocketException e) {
      return false;
    }
  }

  private static Optional<InetAddress> address(String literal) {
    try {
      return Optional.of(InetAddress.ofLiteral(literal));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /// @return without the port and the brackets of an address
  private static Optional<String> hostOf(String header) {
    String text = header.strip().toLowerCase(Locale.ROOT);
    if (text.startsWith("[")) {
      int end = text.indexOf(']');
      return end < 0 ? Optional.empty() : Optional.of(text.substring(1, end));
    }
    int colon = text.indexOf(':');
    String host = colon < 0 ? text : text.substring(0, colon);
    return host.isEmpty() ? Optional.empty() : Optional.of(host);
  }

  /// As clients name it.
  public static String text(String host, int port) {
    return new NodeAddress(host, port).toString();
  }
}
