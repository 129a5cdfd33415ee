package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// How several masters of a standalone cluster agree on one that leads.
public final class RecoverySettings {
  public static final Setting<String> FACTORY =
      Setting.optional(
          "spark.deploy.recoveryMode.factory",
          SettingType.TEXT,
          "For the mode CUSTOM: the class that elects and keeps, an"
              + " `io.kiln.daemon.recovery.Recovery` with a public constructor without"
              + " arguments, in a jar of `SPARK_DAEMON_CLASSPATH`.");

  public static final Setting<String> ZOOKEEPER_URL =
      Setting.optional(
          "spark.deploy.zookeeper.url",
          SettingType.TEXT,
          "For the mode ZOOKEEPER: its servers, as in `zk1:2181,zk2:2181,zk3:2181`.");

  public static final Setting<String> ZOOKEEPER_DIRECTORY =
      Setting.of(
          "spark.deploy.zookeeper.dir",
          SettingType.TEXT,
          "/spark",
          "The node of ZooKeeper under which the masters of this cluster elect and keep.");

  public static final Setting<Duration> ZOOKEEPER_SESSION_TIMEOUT =
      Setting.of(
          "spark.kiln.deploy.zookeeper.sessionTimeout",
          SettingType.time(Durations.Unit.MILLISECONDS),
          "10s",
          "After how long a master that ZooKeeper does not hear no longer leads. ZooKeeper's"
              + " servers bound it, from 2 to 20 times their tickTime.");

  public static final Setting<List<String>> RAFT_PEERS =
      Setting.optional(
          "spark.kiln.deploy.raft.peers",
          SettingType.LIST,
          "For the mode RAFT: where all masters listen for each other, as in"
              + " `host1:7099,host2:7099,host3:7099`; the same list on each, 3, 5 or 7 long.");

  public static final Setting<String> RAFT_SELF =
      Setting.optional(
          "spark.kiln.deploy.raft.self",
          SettingType.TEXT,
          "Which of spark.kiln.deploy.raft.peers this master is. Unset: the one on this host.");

  public static final Setting<Duration> RAFT_ELECTION_TIMEOUT =
      Setting.of(
          "spark.kiln.deploy.raft.electionTimeout",
          SettingType.time(Durations.Unit.MILLISECONDS),
          "1s",
          "After how long without the leading master the others elect another. They wait this"
              + " time, and at random up to as much again.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Several masters",
          List.of(
              FACTORY,
              ZOOKEEPER_URL,
              ZOOKEEPER_DIRECTORY,
              ZOOKEEPER_SESSION_TIMEOUT,
              RAFT_PEERS,
              RAFT_SELF,
              RAFT_ELECTION_TIMEOUT));

  private RecoverySettings() {}
}
