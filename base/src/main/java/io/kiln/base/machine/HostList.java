package io.kiln.base.machine;

import java.util.List;

/// What messages may say about hosts: so many names, each one that DNS allows. Whoever reads such a
/// message need not trust its sender.
public final class HostList {
  private static final int MOST_HOSTS = 10_000;

  /// Of a name in DNS.
  private static final int LONGEST_NAME = 255;

  private HostList() {}

  /// @return a copy that nobody changes
  /// @throws IllegalArgumentException if there are too many, or one can't be a host's name
  public static List<String> checked(List<String> hosts) {
    if (hosts.size() > MOST_HOSTS) {
      throw new IllegalArgumentException(
          hosts.size() + " hosts are named, of which there may be " + MOST_HOSTS);
    }
    for (String host : hosts) {
      if (!isName(host)) {
        throw new IllegalArgumentException("a host is named by " + host.length() + " characters");
      }
    }
    return List.copyOf(hosts);
  }

  /// Those that can be hosts, as many as may be named, from the first on.
  public static List<String> usable(List<String> hosts) {
    return hosts.stream().filter(HostList::isName).limit(MOST_HOSTS).toList();
  }

  private static boolean isName(String host) {
    return !host.isEmpty() && host.length() <= LONGEST_NAME;
  }
}
