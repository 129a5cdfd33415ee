package io.kiln.recovery.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.daemon.recovery.Change;
import io.kiln.recovery.Member;
import io.kiln.recovery.RecoveryContractTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("try") // a test that is interrupted fails anyhow
class ZooKeeperRecoveryTest extends RecoveryContractTest {
  @TempDir static Path directory;
  private static ZooKeeperProcess zooKeeper;
  private String node;

  @BeforeAll
  static void startZooKeeper() throws IOException {
    zooKeeper = new ZooKeeperProcess(directory);
  }

  @AfterAll
  static void stopZooKeeper() {
    zooKeeper.close();
  }

  @BeforeEach
  void choose(TestInfo test) {
    node = "/kiln/" + test.getTestMethod().orElseThrow().getName();
  }

  @Override
  protected List<Map<String, String>> masters() {
    return List.of(settings(), settings());
  }

  private Map<String, String> settings() {
    return Map.of(
        "spark.deploy.recoveryMode",
        "ZOOKEEPER",
        "spark.deploy.zookeeper.url",
        zooKeeper.url(),
        "spark.deploy.zookeeper.dir",
        node,
        "spark.kiln.deploy.zookeeper.sessionTimeout",
        "8s");
  }

  @Test
  void aMasterOfAnOlderEpochCanWriteNothing() throws Exception {
    try (ZooKeeper one = connect();
        ZooKeeper other = connect()) {
      ZooKeeperStore old = store(one);
      assertThat(old.claim()).isEmpty();
      old.write(List.of(put("a", "1")));
      ZooKeeperStore fresh = store(other);

      assertThat(fresh.claim()).hasSize(1);
      assertThat(fresh.epoch()).isGreaterThan(old.epoch());
      assertThatThrownBy(() -> old.write(List.of(put("a", "2"), put("b", "2"))))
          .isInstanceOf(KeeperException.BadVersionException.class);
      assertThatThrownBy(() -> old.writeDown(List.of(put("a", "2"))))
          .isInstanceOf(KeeperException.BadVersionException.class);
      assertThat(store(other).claim()).hasSize(1).containsEntry("a", bytes("1"));
    }
  }

  @Test
  void aLargeBatchThatCountsIsCarriedOutByTheNext() throws Exception {
    try (ZooKeeper one = connect()) {
      ZooKeeperStore old = store(one);
      assertThat(old.claim()).isEmpty();
      String large = "x".repeat(1 << 20);
      old.write(List.of(put("a", large), put("gone", large)));
      old.writeDown(List.of(put("a", "2"), put("b", large), new Change.Remove("gone")));
      // and the master dies

      assertThat(store(one).claim())
          .hasSize(2)
          .containsEntry("a", bytes("2"))
          .containsEntry("b", bytes(large));
      assertThat(store(one).claim()).as("carried out once").hasSize(2);
      assertThat(one.getChildren(node + "/entries", false))
          .as("no parts left over")
          .containsExactlyInAnyOrder("a", "b", "b~1", "b~2");
      assertThat(one.getChildren(node + "/pending", false)).isEmpty();
    }
  }

  @Test
  void whatIsKeptCanNotBeReadWithoutTheSecret() throws Exception {
    LinkedBlockingQueue<Member.Term> terms = new LinkedBlockingQueue<>();
    try (Member member = new Member(settings(), terms)) {
      Member.Term term = terms.take();
      member.put(term.epoch(), "a", "a secret");
    }
    try (ZooKeeper stranger = new ZooKeeper(zooKeeper.url(), 8000, _ -> {})) {
      assertThatThrownBy(() -> stranger.getData(node + "/entries/a", false, null))
          .isInstanceOf(KeeperException.NoAuthException.class);
      assertThatThrownBy(() -> stranger.delete(node + "/entries/a", -1))
          .isInstanceOf(KeeperException.NoAuthException.class);
    }
    try (Member other = new Member(settings(), Optional.of(bytes("another")), terms)) {
      KilnException failure = other.failures.poll(20, TimeUnit.SECONDS);
      assertThat(failure).hasMessageContaining("another cluster's secret protects");
    }
  }

  private ZooKeeper connect() throws IOException {
    ZooKeeper connected = new ZooKeeper(zooKeeper.url(), 8000, _ -> {});
    String password = new Seal(Optional.of(Member.SECRET)).password().orElseThrow();
    connected.addAuthInfo("digest", bytes("kiln:" + password));
    return connected;
  }

  private ZooKeeperStore store(ZooKeeper connected) {
    return new ZooKeeperStore(connected, node, new Seal(Optional.of(Member.SECRET)));
  }

  private static Change put(String key, String value) {
    return new Change.Put(key, bytes(value));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
