package io.kiln.recovery.raft;

import io.kiln.daemon.recovery.Change;
import io.kiln.recovery.raft.RaftWords.Append;
import io.kiln.recovery.raft.RaftWords.Changes;
import io.kiln.recovery.raft.RaftWords.Claim;
import io.kiln.recovery.raft.RaftWords.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.MD5FileUtil;

/// What the common log has led to, the same on each master: an epoch, and the entries. A batch of
/// another epoch than the last that was claimed changes nothing; that fences a master that was
/// replaced. Thread-safe.
final class RaftStore extends BaseStateMachine {
  private static final ByteString REFUSED = ByteString.EMPTY;
  private static final ByteString TAKEN = ByteString.copyFrom(new byte[] {1});

  /// Hears what happens to this master's own part. On the library's threads; returns at once.
  interface Listener {
    /// The majority follows this master, and all that it has agreed on before is here.
    void leads();

    /// It does not, or may not.
    void follows();

    /// It has stopped by a fault.
    void stopped(String why);
  }

  private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
  private final Listener listener;
  private final Map<String, byte[]> entries = new HashMap<>();
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
  private long epoch;

  RaftStore(Listener listener) {
    this.listener = listener;
  }

  // ---- the log --------------------------------------------------------------------------------

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = transaction.getLogEntry();
    byte[] word = entry.getStateMachineLogEntry().getLogData().toByteArray();
    ByteString answer = apply(RaftWords.read(word));
    updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
    return CompletableFuture.completedFuture(Message.valueOf(answer));
  }

  synchronized ByteString apply(Object word) {
    return switch (word) {
      case Claim(long millis) -> {
        epoch = Math.max(epoch + 1, millis);
        begun.reset();
        yield ByteString.copyFrom(ByteBuffer.allocate(Long.BYTES).putLong(0, epoch));
      }
      case Append append when append.epoch() == epoch -> {
        if (append.part() == 0) {
          begun.reset();
        }
        begun.writeBytes(append.bytes());
        if (append.last()) {
          ((Changes) RaftWords.read(begun.toByteArray())).changes().forEach(this::keep);
          begun.reset();
        }
        yield TAKEN;
      }
      case Append _ -> REFUSED;
      default -> throw new IllegalStateException("the log has " + word);
    };
  }

  private void keep(Change change) {
    switch (change) {
      case Change.Put(String key, byte[] value) -> entries.put(key, value);
      case Change.Remove(String key) -> entries.remove(key);
    }
  }

  static long claimedEpoch(ByteString answer) {
    return answer.asReadOnlyByteBuffer().getLong();
  }

  static boolean isTaken(ByteString answer) {
    return answer.equals(TAKEN);
  }

  /// What is kept, if the epoch is that one still.
  synchronized Optional<Map<String, byte[]>> entries(long ofEpoch) {
    return epoch == ofEpoch ? Optional.of(Map.copyOf(entries)) : Optional.empty();
  }

  // ---- snapshots ------------------------------------------------------------------------------

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage)
      throws IOException {
    super.initialize(server, group, raftStorage);
    storage.init(raftStorage);
    load();
  }

  @Override
  public void reinitialize() throws IOException {
    load();
  }

  @Override
  public StateMachineStorage getStateMachineStorage() {
    return storage;
  }

  private synchronized void load() throws IOException {
    SingleFileSnapshotInfo latest = storage.loadLatestSnapshot();
    if (latest == null) {
      return;
    }
    Path file = latest.getFile().getPath();
    MD5FileUtil.verifySavedMD5(file.toFile(), MD5FileUtil.computeMd5ForFile(file.toFile()));
    Snapshot snapshot = (Snapshot) RaftWords.read(Files.readAllBytes(file));
    epoch = snapshot.epoch();
    entries.clear();
    entries.putAll(snapshot.entries());
    begun.reset();
    begun.writeBytes(snapshot.begun());
    setLastAppliedTermIndex(SimpleStateMachineStorage.getTermIndexFromSnapshotFile(file.toFile()));
  }

  @Override
  public long takeSnapshot() throws IOException {
    byte[] bytes;
    TermIndex last;
    synchronized (this) {
      bytes = RaftWords.bytes(new Snapshot(epoch, Map.copyOf(entries), begun.toByteArray()));
      last = getLastAppliedTermIndex();
    }
    File file = storage.getSnapshotFile(last.getTerm(), last.getIndex());
    Path fresh = file.toPath().resolveSibling(file.getName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer source = ByteBuffer.wrap(bytes);
      while (source.hasRemaining()) {
        channel.write(source);
      }
      channel.force(true);
    }
    Files.move(fresh, file.toPath(), StandardCopyOption.ATOMIC_MOVE);
    FileInfo info = new FileInfo(file.toPath(), MD5FileUtil.computeAndSaveMd5ForFile(file));
    storage.updateLatestSnapshot(new SingleFileSnapshotInfo(info, last));
    return last.getIndex();
  }

  // ---- what happens to this master ------------------------------------------------------------

  @Override
  public void notifyLeaderReady() {
    listener.leads();
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId self, RaftPeerId leader) {
    if (!self.getPeerId().equals(leader)) {
      listener.follows();
    }
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> unfinished) {
    listener.follows();
  }

  @Override
  public void notifyLogFailed(Throwable cause, LogEntryProto failed) {
    listener.stopped("its log can't be written: " + cause);
  }

  @Override
  public void notifyServerShutdown(RoleInfoProto role, boolean allServer) {
    listener.stopped("it has stopped; see the log");
  }
}
