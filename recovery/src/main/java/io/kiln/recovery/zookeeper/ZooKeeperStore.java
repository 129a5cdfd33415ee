package io.kiln.recovery.zookeeper;

import io.kiln.daemon.recovery.Change;
import io.kiln.daemon.recovery.KeptRecords;
import io.kiln.daemon.recovery.Recovery;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.codec.WireReader;
import io.kiln.network.codec.WireWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/// What one elected master keeps in ZooKeeper. Used by one thread at a time.
///
/// ```
/// DIR/epoch              the number of the last election; its version fences
/// DIR/entries/KEY        an entry: how many nodes it has (4 bytes), and the first part of its
/// bytes DIR/entries/KEY~1 …    further parts
/// DIR/pending/0 …        parts of a batch that is too large for one transaction
/// DIR/pending/complete   they are all there: the batch counts
/// ```
///
/// Every transaction checks that `epoch` has the version that this election has given it, so none
/// succeeds after the next. ZooKeeper takes 1 MB in one node and in one transaction: a larger entry
/// is cut into parts, and a larger batch is first written down beside the entries, then made to
/// count by one node, and then carried out, if need be by the next master.
final class ZooKeeperStore {
  private static final int MAX_PART_BYTES = 400 << 10;
  private static final int MAX_TRANSACTION_BYTES = 500 << 10;
  private static final int OP_BYTES = 200; // beside path and data, at most
  private static final int READS_AT_ONCE = 500;
  private static final String COMPLETE = "complete";

  private final RecordCodec codec = KeptRecords.codec();
  private final ZooKeeper zooKeeper;
  private final Seal seal;
  private final List<ACL> acl;
  private final String epochPath;
  private final String entriesPath;
  private final String pendingPath;
  private final Map<String, Integer> parts = new HashMap<>(); // of each node name
  private long epoch;
  private int version;

  ZooKeeperStore(ZooKeeper zooKeeper, String directory, Seal seal) {
    this.zooKeeper = zooKeeper;
    this.seal = seal;
    this.acl =
        seal.password().isPresent() ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
    this.epochPath = directory + "/epoch";
    this.entriesPath = directory + "/entries";
    this.pendingPath = directory + "/pending";
  }

  long epoch() {
    return epoch;
  }

  /// Begins an epoch. From then on no older one can write.
  ///
  /// @return what is kept, by key
  Map<String, byte[]> claim() throws KeeperException, InterruptedException {
    Stat stat = new Stat();
    byte[] text = open(stat);
    long previous = text.length == 0 ? 0 : Long.parseLong(new String(text, StandardCharsets.UTF_8));
    epoch = Recovery.epochAfter(previous);
    byte[] next = Long.toString(epoch).getBytes(StandardCharsets.UTF_8);
    version = zooKeeper.setData(epochPath, next, stat.getVersion()).getVersion();
    count(zooKeeper.getChildren(entriesPath, false));
    finishPending();
    return assemble(read(entriesPath, zooKeeper.getChildren(entriesPath, false)));
  }

  /// Makes the nodes that aren't there.
  ///
  /// @param stat to be filled
  /// @return what the epoch's node has
  byte[] open(Stat stat) throws KeeperException, InterruptedException {
    for (String path : List.of(epochPath, entriesPath, pendingPath)) {
      make(path);
    }
    return zooKeeper.getData(epochPath, false, stat);
  }

  private void make(String path) throws KeeperException, InterruptedException {
    for (int slash = path.indexOf('/', 1); ; slash = path.indexOf('/', slash + 1)) {
      String ancestor = slash < 0 ? path : path.substring(0, slash);
      if (zooKeeper.exists(ancestor, false) == null) {
        try {
          zooKeeper.create(ancestor, new byte[0], acl, CreateMode.PERSISTENT);
        } catch (KeeperException.NodeExistsException e) {
          // another master was faster
        }
      }
      if (slash < 0) {
        return;
      }
    }
  }

  /// Nodes of an entry come in order and go from the last, so that their number says which.
  private void count(List<String> nodes) {
    for (String node : nodes) {
      int end = node.indexOf(EntryName.PART);
      parts.merge(end < 0 ? node : node.substring(0, end), 1, Integer::sum);
    }
  }

  private Map<String, byte[]> read(String path, List<String> names)
      throws KeeperException, InterruptedException {
    Map<String, byte[]> nodes = new HashMap<>();
    for (int from = 0; from < names.size(); from += READS_AT_ONCE) {
      Map<String, CompletableFuture<byte[]>> asked = new HashMap<>();
      for (String name : names.subList(from, Math.min(names.size(), from + READS_AT_ONCE))) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        asked.put(name, answer);
        zooKeeper.getData(
            path + "/" + name,
            false,
            (code, node, _, data, _) -> {
              if (code == KeeperException.Code.OK.intValue()) {
                answer.complete(data);
              } else {
                answer.completeExceptionally(
                    KeeperException.create(KeeperException.Code.get(code), node));
              }
            },
            null);
      }
      for (Map.Entry<String, CompletableFuture<byte[]>> each : asked.entrySet()) {
        nodes.put(each.getKey(), answerOf(each.getValue()));
      }
    }
    return nodes;
  }

  private static byte[] answerOf(CompletableFuture<byte[]> answer)
      throws KeeperException, InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KeeperException known) {
        throw known;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private Map<String, byte[]> assemble(Map<String, byte[]> nodes) {
    Map<String, byte[]> entries = new HashMap<>();
    nodes.forEach(
        (name, first) -> {
          if (name.indexOf(EntryName.PART) < 0) {
            ByteBuffer head = ByteBuffer.wrap(first);
            int count = head.getInt();
            WireWriter sealed = new WireWriter(first.length);
            sealed.writeRaw(first, Integer.BYTES, first.length - Integer.BYTES);
            for (int part = 1; part < count; part++) {
              byte[] more = nodes.get(EntryName.part(name, part));
              sealed.writeRaw(more, 0, more.length);
            }
            String key = EntryName.key(name);
            entries.put(key, seal.open(key, sealed.toByteArray()));
          }
        });
    return entries;
  }

  /// @param bytes that it takes in a transaction, at most
  private record Write(Op op, int bytes) {}

  // ---- writing --------------------------------------------------------------------------------

  /// All or none.
  void write(List<Change> changes) throws KeeperException, InterruptedException {
    List<List<Op>> transactions = transactions(changes);
    if (transactions.size() == 1) {
      transact(transactions.getFirst());
    } else {
      writeDown(changes);
      carryOut(transactions);
    }
  }

  private List<List<Op>> transactions(List<Change> changes) {
    List<Write> writes = new ArrayList<>();
    for (Change change : changes) {
      switch (change) {
        case Change.Put(String key, byte[] value) -> put(key, seal.close(key, value), writes);
        case Change.Remove(String key) -> shorten(EntryName.of(key), 0, writes);
      }
    }
    return grouped(writes);
  }

  private void put(String key, byte[] sealed, List<Write> writes) {
    String name = EntryName.of(key);
    int known = parts.getOrDefault(name, 0);
    int count = Math.max(1, (sealed.length + MAX_PART_BYTES - 1) / MAX_PART_BYTES);
    for (int part = 0; part < count; part++) {
      int from = part * MAX_PART_BYTES;
      byte[] bytes =
          Arrays.copyOfRange(sealed, from, Math.min(sealed.length, from + MAX_PART_BYTES));
      byte[] data =
          part > 0
              ? bytes
              : ByteBuffer.allocate(Integer.BYTES + bytes.length).putInt(count).put(bytes).array();
      String path = entriesPath + "/" + EntryName.part(name, part);
      Op op = part < known ? Op.setData(path, data, -1) : create(path, data);
      writes.add(new Write(op, OP_BYTES + path.length() + data.length));
    }
    shorten(name, count, writes);
    parts.put(name, count);
  }

  private void shorten(String name, int count, List<Write> writes) {
    Integer known = parts.remove(name);
    for (int part = known == null ? -1 : known - 1; part >= count; part--) {
      String path = entriesPath + "/" + EntryName.part(name, part);
      writes.add(new Write(Op.delete(path, -1), OP_BYTES + path.length()));
    }
  }

  private static List<List<Op>> grouped(List<Write> writes) {
    List<List<Op>> groups = new ArrayList<>();
    List<Op> group = new ArrayList<>();
    int bytes = 0;
    for (Write write : writes) {
      if (!group.isEmpty() && bytes + write.bytes() > MAX_TRANSACTION_BYTES) {
        groups.add(group);
        group = new ArrayList<>();
        bytes = 0;
      }
      group.add(write.op());
      bytes += write.bytes();
    }
    groups.add(group);
    return groups;
  }

  private void transact(List<Op> ops) throws KeeperException, InterruptedException {
    List<Op> all = new ArrayList<>(ops.size() + 1);
    all.add(Op.check(epochPath, version));
    all.addAll(ops);
    zooKeeper.multi(all);
  }

  /// The batch counts when this returns.
  void writeDown(List<Change> changes) throws KeeperException, InterruptedException {
    WireWriter bytes = new WireWriter(MAX_TRANSACTION_BYTES);
    for (Change change : changes) {
      codec.write(change, bytes);
    }
    byte[] sealed = seal.close(COMPLETE, bytes.toByteArray());
    for (int part = 0; part * MAX_PART_BYTES < sealed.length; part++) {
      int from = part * MAX_PART_BYTES;
      byte[] data =
          Arrays.copyOfRange(sealed, from, Math.min(sealed.length, from + MAX_PART_BYTES));
      transact(List.of(create(pendingPath + "/" + part, data)));
    }
    transact(List.of(create(pendingPath + "/" + COMPLETE, new byte[0])));
  }

  private Op create(String path, byte[] data) {
    return Op.create(path, data, acl, CreateMode.PERSISTENT);
  }

  private void carryOut(List<List<Op>> transactions) throws KeeperException, InterruptedException {
    for (List<Op> transaction : transactions) {
      transact(transaction);
    }
    clearPending(zooKeeper.getChildren(pendingPath, false));
  }

  /// Carries out what the master before has written down, or forgets what it has not finished.
  private void finishPending() throws KeeperException, InterruptedException {
    List<String> names = zooKeeper.getChildren(pendingPath, false);
    if (!names.contains(COMPLETE)) {
      clearPending(names);
      return;
    }
    Map<String, byte[]> nodes = read(pendingPath, names);
    WireWriter sealed = new WireWriter(MAX_TRANSACTION_BYTES);
    for (int part = 0; part < names.size() - 1; part++) {
      byte[] bytes = nodes.get(Integer.toString(part));
      sealed.writeRaw(bytes, 0, bytes.length);
    }
    byte[] text = seal.open(COMPLETE, sealed.toByteArray());
    WireReader batch = codec.reader(text, 0, text.length);
    List<Change> changes = new ArrayList<>();
    while (batch.remaining() > 0) {
      changes.add((Change) codec.read(batch));
    }
    carryOut(transactions(changes));
  }

  /// The node that makes them count first: without it, the others are nothing.
  private void clearPending(List<String> names) throws KeeperException, InterruptedException {
    List<Op> ops = new ArrayList<>();
    if (names.contains(COMPLETE)) {
      ops.add(Op.delete(pendingPath + "/" + COMPLETE, -1));
    }
    for (String name : names) {
      if (!name.equals(COMPLETE)) {
        ops.add(Op.delete(pendingPath + "/" + name, -1));
      }
    }
    if (!ops.isEmpty()) {
      transact(ops);
    }
  }
}
