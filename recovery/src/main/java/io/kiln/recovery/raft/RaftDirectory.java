package io.kiln.recovery.raft;

import io.kiln.api.KilnException;
import io.kiln.base.settings.RecoverySettings;
import io.kiln.base.settings.StandaloneSettings;
import io.kiln.process.ProcessDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.util.TimeDuration;

/// Where a master of a quorum keeps its copy of the log, readable by its owner only, and how the
/// library is to use it.
final class RaftDirectory implements AutoCloseable {
  /// For an answer of another master.
  static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);

  /// A process that was stopped for longer gives up.
  private static final Duration LONGEST_STOP = Duration.ofDays(1);

  /// Before one that can't be reached is asked again.
  private static final Duration PAUSE = Duration.ofMillis(200);

  private static final int SNAPSHOT_AFTER = 10_000;
  private static final int KEPT_SNAPSHOTS = 2;

  private final Path directory;
  private final FileChannel lock;

  private RaftDirectory(Path directory, FileChannel lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /// One for each master, so that all may have the same setting.
  ///
  /// @throws KilnException `RECOVERY_UNUSABLE` if it can't be made, or is of other masters
  static RaftDirectory open(Path parent, RaftPeers peers) {
    Path directory = parent.resolve("raft-" + RaftPeers.id(peers.self()));
    try {
      Files.createDirectories(parent, ProcessDirectory.OWNER_ONLY);
      if (!Files.isDirectory(directory)) {
        Files.createDirectory(directory, ProcessDirectory.OWNER_ONLY);
      }
      FileChannel lock =
          FileChannel.open(
              directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isHeld(lock)) {
        throw unusable(directory, "another master uses it", null);
      }
      Path list = directory.resolve("peers");
      String text = String.join("\n", peers.all().stream().sorted().toList()) + "\n";
      if (!Files.exists(list)) {
        Path whole = Files.writeString(directory.resolve("peers.new"), text);
        Files.move(whole, list, StandardCopyOption.ATOMIC_MOVE);
      } else if (!Files.readString(list).equals(text)) {
        throw unusable(
            directory,
            "it is of the masters "
                + Files.readString(list).strip().replace("\n", ",")
                + ", and "
                + RecoverySettings.RAFT_PEERS.key()
                + " names others; set it back, or begin anew with another directory on all masters",
            null);
      }
      return new RaftDirectory(directory, lock);
    } catch (IOException e) {
      throw unusable(directory, e.toString(), e);
    }
  }

  private static boolean isHeld(FileChannel lock) throws IOException {
    try {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // in this very process
    }
  }

  /// Another may use it.
  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw unusable(directory, e.toString(), e);
    }
  }

  private static KilnException unusable(Path directory, String why, Throwable cause) {
    return new KilnException(
        "RECOVERY_UNUSABLE",
        KilnException.Kind.USER,
        "what the master keeps can't be had from or written to "
            + directory
            + " ("
            + StandaloneSettings.RECOVERY_DIRECTORY.key()
            + "): "
            + why,
        cause);
  }

  StartupOption option(RaftGroupId group) {
    return Files.isDirectory(directory.resolve(group.getUuid().toString()))
        ? StartupOption.RECOVER
        : StartupOption.FORMAT;
  }

  RaftProperties properties(Duration election) {
    RaftProperties properties = new RaftProperties();
    RaftConfigKeys.Rpc.setType(properties, new KilnRpcType());
    RaftServerConfigKeys.setStorageDir(properties, List.of(directory.toFile()));
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, time(election));
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, time(election.multipliedBy(2)));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, time(election.dividedBy(4)));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, time(election));
    RaftServerConfigKeys.setCloseThreshold(properties, time(LONGEST_STOP));
    RaftServerConfigKeys.Rpc.setSleepTime(properties, time(PAUSE));
    RaftServerConfigKeys.Rpc.setRequestTimeout(properties, time(REQUEST_TIMEOUT));
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
    RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, SNAPSHOT_AFTER);
    RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, KEPT_SNAPSHOTS);
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
    return properties;
  }

  private static TimeDuration time(Duration duration) {
    return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
  }
}
