package io.kiln.recovery.raft;

import io.kiln.recovery.RecoveryContractTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

class RaftRecoveryTest extends RecoveryContractTest {
  @TempDir Path directory;
  private List<String> peers = List.of();

  @Override
  protected List<Map<String, String>> masters() throws IOException {
    if (peers.isEmpty()) {
      peers = freeAddresses(3);
    }
    List<Map<String, String>> masters = new ArrayList<>();
    for (String self : peers) {
      masters.add(
          Map.of(
              "spark.deploy.recoveryMode",
              "RAFT",
              "spark.deploy.recoveryDirectory",
              directory.toString(),
              "spark.kiln.deploy.raft.peers",
              String.join(",", peers),
              "spark.kiln.deploy.raft.self",
              self));
    }
    return masters;
  }

  /// Of ports that nobody has at the moment.
  static List<String> freeAddresses(int count) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      held.add(socket);
      addresses.add("127.0.0.1:" + socket.getLocalPort());
    }
    for (ServerSocket socket : held) {
      socket.close();
    }
    return addresses;
  }
}
