package io.kiln.recovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.daemon.recovery.Candidate;
import io.kiln.daemon.recovery.Change;
import io.kiln.daemon.recovery.Recovery;
import io.kiln.daemon.recovery.RecoverySetup;
import io.kiln.recovery.Member.Term;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How a mode is found, and what is said where it can't work as it is set up.
class RecoveryModesTest {
  /// One that a user has written.
  public static final class Own implements Recovery {
    @Override
    public void start(RecoverySetup setup, Candidate candidate) {
      candidate.elected(Recovery.epochAfter(0), Map.of("by", setup.process().getBytes(UTF_8)));
    }

    @Override
    public void persist(long epoch, List<Change> changes) {}

    @Override
    public void close() {}
  }

  /// No `Recovery` can be made of it from outside.
  public static final class Hidden implements Recovery {
    private Hidden() {}

    @Override
    public void start(RecoverySetup setup, Candidate candidate) {}

    @Override
    public void persist(long epoch, List<Change> changes) {}

    @Override
    public void close() {}
  }

  @Test
  void aClassOfOnesOwnIsFoundByItsName() throws Exception {
    LinkedBlockingQueue<Term> terms = new LinkedBlockingQueue<>();
    Map<String, String> settings =
        Map.of(
            "spark.deploy.recoveryMode",
            "CUSTOM",
            "spark.deploy.recoveryMode.factory",
            Own.class.getName());

    try (Member _ = new Member(settings, terms)) {
      assertThat(terms.take().entries()).isEqualTo(Map.of("by", "127.0.0.1:1"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mode=MANY | spark.deploy.recoveryMode=MANY can't be used: expected one of NONE,"
            + " FILESYSTEM",
        "mode=CUSTOM | spark.deploy.recoveryMode is CUSTOM, and spark.deploy.recoveryMode.factory"
            + " is not set",
        "mode=CUSTOM;factory=acme.Gone | spark.deploy.recoveryMode.factory=acme.Gone is on no class"
            + " path; put its jar into SPARK_DAEMON_CLASSPATH",
        "mode=CUSTOM;factory=java.lang.String | is no io.kiln.daemon.recovery.Recovery",
        "mode=CUSTOM;factory=HIDDEN | can't be made by a public constructor without arguments",
        "mode=FILESYSTEM | spark.deploy.recoveryMode is FILESYSTEM, and"
            + " spark.deploy.recoveryDirectory is not set",
        "mode=ZOOKEEPER | spark.deploy.recoveryMode is ZOOKEEPER, and spark.deploy.zookeeper.url is"
            + " not set",
        "mode=ZOOKEEPER;url=h:x | spark.deploy.zookeeper.url is 'h:x'; it must be a list of"
            + " HOST:PORT",
        "mode=ZOOKEEPER;url=h:1;dir=spark | spark.deploy.zookeeper.dir is 'spark'; it must be the"
            + " path of a node",
        "mode=RAFT | spark.deploy.recoveryMode is RAFT, and spark.kiln.deploy.raft.peers is not"
            + " set",
        "mode=RAFT;peers=a:1,b:2 | names 2 masters (a:1,b:2); take 3, 5 or 7",
        "mode=RAFT;peers=a:1 | names 1 masters (a:1); take 3, 5 or 7",
        "mode=RAFT;peers=a:1,b:2,a:1 | names one master twice: a:1,b:2,a:1",
        "mode=RAFT;peers=a:1,b,c:2 | spark.kiln.deploy.raft.peers: 'b' is no address",
        "mode=RAFT;peers=203.0.113.1:1,203.0.113.2:1,203.0.113.3:1 | none of"
            + " spark.kiln.deploy.raft.peers (203.0.113.1:1,203.0.113.2:1,203.0.113.3:1) are on"
            + " this master's host (127.0.0.1); say by spark.kiln.deploy.raft.self",
        "mode=RAFT;peers=127.0.0.1:1,127.0.0.1:2,127.0.0.1:3 | several of"
            + " spark.kiln.deploy.raft.peers",
        "mode=RAFT;peers=127.0.0.1:1,127.0.0.1:2,127.0.0.1:3;self=127.0.0.1:4 |"
            + " spark.kiln.deploy.raft.self is 127.0.0.1:4, which is none of",
        "mode=RAFT;peers=127.0.0.1:1,203.0.113.2:1,203.0.113.3:1 | spark.deploy.recoveryMode is"
            + " RAFT, and spark.deploy.recoveryDirectory is not set",
        "mode=RAFT;peers=127.0.0.1:1,203.0.113.2:1,203.0.113.3:1;recoveryDirectory=/proc/x | can't"
            + " be had from or written to /proc/x",
      })
  void whatCanNotWorkIsRefusedInOneLine(String given, String line) throws Exception {
    Map<String, String> keys =
        Map.of(
            "mode", "spark.deploy.recoveryMode",
            "factory", "spark.deploy.recoveryMode.factory",
            "url", "spark.deploy.zookeeper.url",
            "dir", "spark.deploy.zookeeper.dir",
            "recoveryDirectory", "spark.deploy.recoveryDirectory",
            "peers", "spark.kiln.deploy.raft.peers",
            "self", "spark.kiln.deploy.raft.self");
    Map<String, String> settings = new HashMap<>();
    for (String each : given.split(";")) {
      int equals = each.indexOf('=');
      settings.put(
          keys.get(each.substring(0, equals)),
          each.substring(equals + 1).replace("HIDDEN", Hidden.class.getName()));
    }

    assertThatThrownBy(() -> new Member(settings, new LinkedBlockingQueue<>()))
        .isInstanceOf(KilnException.class)
        .hasMessageContaining(line)
        .message()
        .doesNotContain("\n");
  }
}
