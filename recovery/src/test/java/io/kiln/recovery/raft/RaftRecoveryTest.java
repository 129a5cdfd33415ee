package io.kiln.recovery.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.recovery.Member;
import io.kiln.recovery.RecoveryContractTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

  @Test
  void aDirectoryOrAPortThatIsUsedAndAnotherListAreSaidInALine() throws IOException {
    Map<String, String> settings = new HashMap<>(masters().getFirst());
    LinkedBlockingQueue<Member.Term> terms = new LinkedBlockingQueue<>();
    try (Member _ = new Member(settings, terms)) {
      assertThatThrownBy(() -> new Member(settings, terms))
          .hasMessageContaining("another master uses it");
      Map<String, String> elsewhere = new HashMap<>(settings);
      elsewhere.put("spark.deploy.recoveryDirectory", directory.resolve("other").toString());
      assertThatThrownBy(() -> new Member(elsewhere, terms)).hasMessageContaining("is taken");
    }
    settings.merge("spark.kiln.deploy.raft.peers", ",127.0.0.1:1,127.0.0.1:2", String::concat);
    assertThatThrownBy(() -> new Member(settings, terms))
        .hasMessageContaining(
            "it is of the masters " + peers.stream().sorted().toList().getFirst());
  }

  /// One that has lost its election's thread would stand by for ever, and vote.
  @Test
  @Timeout(60)
  void whatBreaksDuringAnElectionIsAFailureOfTheMaster() throws IOException {
    LinkedBlockingQueue<Member.Term> full = new LinkedBlockingQueue<>(1);
    List<Member> members = new ArrayList<>();
    try {
      for (Map<String, String> settings : masters()) {
        Member member = new Member(settings, full);
        members.add(member);
        full.offer(new Member.Term(member, 0, Map.of()));
      }
      while (members.stream().allMatch(member -> member.failures.isEmpty())) {
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(members.stream().flatMap(member -> member.failures.stream()))
          .allSatisfy(failure -> assertThat(failure).hasMessageContaining("Queue full"));
    } finally {
      members.forEach(Member::close);
    }
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
