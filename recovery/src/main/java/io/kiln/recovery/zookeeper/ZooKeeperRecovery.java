package io.kiln.recovery.zookeeper;

import io.kiln.api.KilnException;
import io.kiln.base.settings.RecoverySettings;
import io.kiln.base.settings.Settings;
import io.kiln.daemon.recovery.Candidate;
import io.kiln.daemon.recovery.Change;
import io.kiln.daemon.recovery.NotLeadingException;
import io.kiln.daemon.recovery.Recovery;
import io.kiln.daemon.recovery.RecoveryModes;
import io.kiln.daemon.recovery.RecoverySetup;
import io.kiln.recovery.ElectionThread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Masters that elect and keep by ZooKeeper. Thread-safe.
///
/// A master that has lost its connection leads no more from that moment, though its session may
/// live on: it can't know. It keeps its place in the queue, and when it is connected again within
/// the session, it is elected anew, with a greater epoch and what is kept, and its workers come
/// back to it. So an unclear outcome of a write is read rather than guessed.
public final class ZooKeeperRecovery implements Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperRecovery.class);
  private static final int RETRY_MILLIS = 300;
  private static final int SAY_AFTER_SECONDS = 10;

  /// Claims, and tells the candidate; in order.
  private final ElectionThread elections =
      new ElectionThread(failure -> this.candidate.failed(failure));

  private CuratorFramework client; // these five are set by start
  private LeaderLatch latch;
  private Candidate candidate;
  private String directory;
  private Seal seal;
  private volatile Optional<ZooKeeperStore> claimed = Optional.empty();
  private volatile boolean closed;

  @Override
  public void start(RecoverySetup setup, Candidate newCandidate) {
    candidate = newCandidate;
    Settings settings = setup.settings();
    String url = RecoveryModes.required(setup, RecoverySettings.ZOOKEEPER_URL);
    directory = directory(settings.get(RecoverySettings.ZOOKEEPER_DIRECTORY));
    seal = new Seal(setup.secret());
    client = client(url, settings.get(RecoverySettings.ZOOKEEPER_SESSION_TIMEOUT));
    latch = new LeaderLatch(client, directory + "/election", setup.process());
    latch.addListener(new Elections(), elections);
    client.start();
    elections.execute(() -> enter(url));
  }

  private static String directory(String given) {
    String path = given.strip();
    while (path.endsWith("/") && path.length() > 1) {
      path = path.substring(0, path.length() - 1);
    }
    if (!path.startsWith("/") || path.length() == 1 || path.contains("//")) {
      throw invalid(
          RecoverySettings.ZOOKEEPER_DIRECTORY.key()
              + " is '"
              + given
              + "'; it must be the path of a node, such as /spark");
    }
    return path;
  }

  private CuratorFramework client(String url, Duration sessionTimeout) {
    int millis = (int) Math.min(Integer.MAX_VALUE, sessionTimeout.toMillis());
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(url)
            .sessionTimeoutMs(millis)
            .connectionTimeoutMs(millis)
            .retryPolicy(new RetryForever(RETRY_MILLIS));
    seal.password()
        .ifPresent(
            password -> {
              byte[] identity = ("kiln:" + password).getBytes(StandardCharsets.UTF_8);
              builder.authorization("digest", identity).aclProvider(new OwnNodes());
            });
    try {
      new ConnectStringParser(url);
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw invalid(
          RecoverySettings.ZOOKEEPER_URL.key()
              + " is '"
              + url
              + "'; it must be a list of HOST:PORT ("
              + e.getMessage()
              + ")");
    }
  }

  /// Only who has the secret may read or change them.
  private static final class OwnNodes implements ACLProvider {
    @Override
    public List<ACL> getDefaultAcl() {
      return ZooDefs.Ids.CREATOR_ALL_ACL;
    }

    @Override
    public List<ACL> getAclForPath(String path) {
      return ZooDefs.Ids.CREATOR_ALL_ACL;
    }
  }

  // ---- elections, on the thread of elections ---------------------------------------------------

  /// Waits for ZooKeeper, and stands for election.
  private void enter(String url) {
    while (!closed) {
      try {
        if (client.blockUntilConnected(SAY_AFTER_SECONDS, TimeUnit.SECONDS)) {
          byte[] _ = store().open(new Stat());
          latch.start();
          return;
        }
        LOG.warn(
            "ZooKeeper can't be reached at {} ({}); this master stands by and goes on trying",
            url,
            RecoverySettings.ZOOKEEPER_URL.key());
      } catch (KeeperException.ConnectionLossException
          | KeeperException.SessionExpiredException e) {
        LOG.debug("Lost it again", e);
      } catch (Exception e) {
        fail(e);
        return;
      }
    }
  }

  private ZooKeeperStore store() throws Exception {
    return new ZooKeeperStore(client.getZookeeperClient().getZooKeeper(), directory, seal);
  }

  private void fail(Exception cause) {
    if (closed) {
      LOG.debug("Closed meanwhile", cause);
      return;
    }
    candidate.failed(
        switch (cause) {
          case KilnException known -> known;
          case KeeperException.NoAuthException _ ->
              unusable(
                  "has nodes under "
                      + directory
                      + " that another cluster's secret protects; give all masters the same secret,"
                      + " or another "
                      + RecoverySettings.ZOOKEEPER_DIRECTORY.key(),
                  cause);
          default -> unusable("can't be used for elections: " + cause, cause);
        });
  }

  private final class Elections implements LeaderLatchListener {
    @Override
    public void isLeader() {
      claim();
    }

    @Override
    public void notLeader() {
      revoke();
    }
  }

  /// Where the connection breaks meanwhile, the latch says so, and says again when it is back.
  private void claim() {
    if (closed || claimed.isPresent() || !latch.hasLeadership()) {
      return;
    }
    try {
      ZooKeeperStore store = store();
      Map<String, byte[]> entries = store.claim();
      claimed = Optional.of(store);
      candidate.elected(store.epoch(), entries);
    } catch (KeeperException.ConnectionLossException
        | KeeperException.SessionExpiredException
        | KeeperException.BadVersionException e) {
      LOG.warn("The election is tried again: {}", e.getMessage());
      retry();
    } catch (Exception e) {
      fail(e);
    }
  }

  private void retry() {
    try {
      if (client.blockUntilConnected(SAY_AFTER_SECONDS, TimeUnit.SECONDS)) {
        elections.execute(this::claim);
      }
    } catch (InterruptedException e) {
      LOG.debug("Interrupted", e);
    }
  }

  private void revoke() {
    Optional<ZooKeeperStore> before = claimed;
    claimed = Optional.empty();
    before.ifPresent(store -> candidate.revoked(store.epoch()));
  }

  // ---- keeping, on the machine's thread -------------------------------------------------------

  @Override
  public void persist(long epoch, List<Change> changes) throws NotLeadingException {
    Optional<ZooKeeperStore> store = claimed.filter(c -> c.epoch() == epoch);
    if (store.isEmpty()) {
      throw new NotLeadingException("it may lead no more, by ZooKeeper");
    }
    try {
      store.get().write(changes);
    } catch (KeeperException e) {
      elections.execute(
          () -> {
            if (claimed.equals(store)) {
              revoke();
              claim(); // if nobody else leads, with what is kept
            }
          });
      throw new NotLeadingException("ZooKeeper has not taken it: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      throw new NotLeadingException("interrupted", e);
    }
  }

  @Override
  public void close() {
    if (closed || client == null) {
      return;
    }
    closed = true;
    claimed = Optional.empty();
    elections.close();
    try {
      latch.close();
    } catch (IOException | IllegalStateException e) {
      LOG.debug("The election could not be left", e);
    }
    client.close();
  }

  private static KilnException invalid(String line) {
    return new KilnException("SETTING_INVALID", KilnException.Kind.USER, line);
  }

  private static KilnException unusable(String line, Throwable cause) {
    return new KilnException(
        "RECOVERY_UNUSABLE", KilnException.Kind.EXTERNAL, "ZooKeeper " + line, cause);
  }
}
