package io.kiln.recovery.raft;

import io.kiln.api.KilnException;
import io.kiln.base.settings.RecoverySettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.StandaloneSettings;
import io.kiln.network.transport.NodeAddress;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;

/// The masters of a cluster, as all of them name them, and which of them this one is.
///
/// @param all `host:port`, as in the setting
/// @param self one of them
record RaftPeers(List<String> all, String self) {
  private static final int FEWEST = 3;

  /// @param host on which this master listens
  /// @throws KilnException `SETTING_INVALID`
  static RaftPeers of(Settings settings, String host) {
    List<String> all = settings.find(RecoverySettings.RAFT_PEERS).orElse(List.of());
    if (all.isEmpty()) {
      throw invalid(
          StandaloneSettings.RECOVERY_MODE.key()
              + " is RAFT, and "
              + RecoverySettings.RAFT_PEERS.key()
              + " is not set; name where all masters listen for each other, as in"
              + " host1:7099,host2:7099,host3:7099");
    }
    all.forEach(RaftPeers::check);
    if (new HashSet<>(all).size() < all.size()) {
      throw invalid(RecoverySettings.RAFT_PEERS.key() + " names one master twice: " + text(all));
    }
    if (all.size() < FEWEST || all.size() % 2 == 0) {
      throw invalid(
          RecoverySettings.RAFT_PEERS.key()
              + " names "
              + all.size()
              + " masters ("
              + text(all)
              + "); take 3, 5 or 7: one more than an odd number survives no more failures, and one"
              + " alone none (for one, take the mode FILESYSTEM)");
    }
    return new RaftPeers(List.copyOf(all), self(settings, host, all));
  }

  /// As the library calls a peer; also the name of its directory.
  static String id(String peer) {
    return peer.replaceAll("[^a-zA-Z0-9.-]", "_");
  }

  /// @throws IllegalArgumentException if there is none
  NodeAddress address(String id) {
    return all.stream()
        .filter(peer -> id(peer).equals(id))
        .findFirst()
        .map(NodeAddress::parse)
        .orElseThrow(() -> new IllegalArgumentException("no master of the list: " + id));
  }

  private static void check(String peer) {
    try {
      NodeAddress.parse(peer);
    } catch (KilnException e) {
      throw invalid(RecoverySettings.RAFT_PEERS.key() + ": " + e.getMessage());
    }
  }

  private static String self(Settings settings, String host, List<String> all) {
    List<String> candidates = settings.find(RecoverySettings.RAFT_SELF).map(List::of).orElse(all);
    boolean named = settings.isSet(RecoverySettings.RAFT_SELF);
    List<String> here =
        candidates.stream()
            .filter(peer -> named ? all.contains(peer) : isHere(peer, host))
            .toList();
    if (here.size() == 1) {
      return here.getFirst();
    }
    if (named) {
      throw invalid(
          RecoverySettings.RAFT_SELF.key()
              + " is "
              + candidates.getFirst()
              + ", which is none of "
              + RecoverySettings.RAFT_PEERS.key()
              + " ("
              + text(all)
              + ")");
    }
    throw invalid(
        (here.isEmpty() ? "none of " : "several of ")
            + RecoverySettings.RAFT_PEERS.key()
            + " ("
            + text(all)
            + ") are on this master's host ("
            + host
            + "); say by "
            + RecoverySettings.RAFT_SELF.key()
            + " which of them it is");
  }

  /// By name, or by an address of this machine.
  private static boolean isHere(String peer, String host) {
    String peerHost = NodeAddress.parse(peer).host();
    if (peerHost.equals(host)) {
      return true;
    }
    try {
      InetAddress address = InetAddress.getByName(peerHost);
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (UnknownHostException | SocketException e) {
      return false; // others may know it
    }
  }

  private static String text(List<String> all) {
    return String.join(",", all);
  }

  private static KilnException invalid(String line) {
    return new KilnException("SETTING_INVALID", KilnException.Kind.USER, line);
  }
}
