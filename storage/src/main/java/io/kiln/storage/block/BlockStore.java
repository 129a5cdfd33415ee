package io.kiln.storage.block;

import io.kiln.api.KilnException;
import io.kiln.api.Records;
import io.kiln.api.StorageLevel;
import io.kiln.process.disk.LocalDirectories;
import io.kiln.protocol.BlockId;
import io.kiln.storage.compression.FrameDecoder;
import io.kiln.storage.compression.FrameFormat;
import io.kiln.storage.memory.UnifiedMemory;
import io.kiln.storage.serializer.ByteReader;
import io.kiln.storage.serializer.ObjectReader;
import io.kiln.storage.serializer.ObjectSerializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The blocks of this process, least recently used first. Thread-safe: one lock guards the map; it
/// is not held while a block is written.
///
/// A level's replication asks for copies in other processes; a process keeps one.
public final class BlockStore {
  private static final Logger logger = LoggerFactory.getLogger(BlockStore.class);

  private final UnifiedMemory memory;
  private final OffHeapMemory offHeap;
  private final ObjectSerializer serializer;
  private final FrameFormat format;
  private final BlockFiles files;
  private final BlockReports reports;
  private final Object lock = new Object();

  // guarded by lock
  private final LinkedHashMap<BlockId, Block> blocks = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<BlockId, SoftReference<Object>> values = new HashMap<>();
  private boolean closed;

  public BlockStore(
      UnifiedMemory memory,
      long offHeapBytes,
      LocalDirectories directories,
      ObjectSerializer serializer,
      FrameFormat format,
      int diskWriteBufferBytes,
      BlockReports reports) {
    this.memory = memory;
    this.offHeap = new OffHeapMemory(offHeapBytes);
    this.serializer = serializer;
    this.format = format;
    this.files = new BlockFiles(directories, serializer, format, diskWriteBufferBytes);
    this.reports = reports;
    memory.evictBy(bytes -> evict(bytes, _ -> true));
  }

  BlockFiles files() {
    return files;
  }

  OffHeapMemory offHeap() {
    return offHeap;
  }

  ObjectSerializer serializer() {
    return serializer;
  }

  FrameFormat format() {
    return format;
  }

  /// The block's records. One that can't be read any more is dropped.
  ///
  /// @return empty if it isn't kept
  public Optional<Iterator<Object>> records(BlockId id) {
    return read(id, block -> block.content().records(serializer));
  }

  /// The block as it is sent to others: objects are serialised now. One that can't be read any more
  /// is dropped.
  ///
  /// @return empty if it isn't kept
  public Optional<StoredBytes> stored(BlockId id) {
    return read(
        id,
        block ->
            switch (block.content()) {
              case BlockContent.Serialized serialized -> serialized.stored();
              case BlockContent.Objects objects -> files.serialize(id, objects);
            });
  }

  private <T> Optional<T> read(BlockId id, Reading<T> reading) {
    Block block;
    synchronized (lock) {
      block = blocks.get(id);
    }
    if (block == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(reading.read(block));
    } catch (IOException e) {
      logger.warn("block {} can't be read and will be computed again: {}", id, e.toString());
      remove(block);
      return Optional.empty();
    }
  }

  private interface Reading<T> {
    T read(Block block) throws IOException;
  }

  /// The records of a block that comes from elsewhere.
  ///
  /// @param frames closed once all was read; else the iterator is, by whoever has it
  public Iterator<Object> decode(InputStream frames) {
    return new RecordIterator(
        new ObjectReader(new ByteReader(new FrameDecoder(format, frames)), serializer));
  }

  /// Stores a block that comes from elsewhere, if there is room.
  public void build(BlockId id, StorageLevel level, Iterator<Object> records) throws Exception {
    Records<Object> all = () -> records;
    if (new BlockBuilder(this, id, level).build(all) instanceof AutoCloseable open) {
      open.close();
    }
  }

  public boolean holds(BlockId id) {
    synchronized (lock) {
      return blocks.containsKey(id);
    }
  }

  /// The partitions of persisted RDDs that are here, with the levels that they were asked for.
  public Map<BlockId.RddBlock, StorageLevel> rddBlocks() {
    Map<BlockId.RddBlock, StorageLevel> kept = new LinkedHashMap<>();
    synchronized (lock) {
      for (Block block : blocks.values()) {
        if (block.id() instanceof BlockId.RddBlock id) {
          kept.put(id, block.level());
        }
      }
    }
    return kept;
  }

  /// Takes heap memory for a block, evicting others if need be, but none of its siblings.
  ///
  /// @return whether all of it was taken
  boolean acquire(BlockId id, long bytes) {
    if (memory.tryAcquireStorage(bytes)) {
      return true;
    }
    long shortage = memory.storageShortage(bytes);
    if (shortage > 0) {
      if (shortage > evictableBytes(id)) {
        return false;
      }
      evict(shortage, other -> !id.isSibling(other));
    }
    return memory.tryAcquireStorage(bytes);
  }

  private long evictableBytes(BlockId id) {
    synchronized (lock) {
      return blocks.values().stream()
          .filter(block -> !id.isSibling(block.id()))
          .mapToLong(Block::memoryBytes)
          .sum();
    }
  }

  void release(long bytes) {
    memory.releaseStorage(bytes);
  }

  /// Keeps a block whose memory was acquired. Of two with one id, the first stays.
  void put(Block block) {
    boolean isNew;
    synchronized (lock) {
      isNew = blocks.putIfAbsent(block.id(), block) == null;
      if (isNew) {
        report(List.of(block.id()), List.of());
      }
    }
    if (!isNew) {
      giveBack(block);
    }
  }

  /// Under the lock, so that reports come in the order of the changes.
  private void report(List<BlockId> added, List<BlockId> removed) {
    if (closed || reports == BlockReports.NOBODY) {
      return;
    }
    List<BlockId> addedForOthers = withoutValues(added);
    List<BlockId> removedForOthers = withoutValues(removed);
    if (!addedForOthers.isEmpty() || !removedForOthers.isEmpty()) {
      reports.blocksChanged(addedForOthers, removedForOthers);
    }
  }

  private static List<BlockId> withoutValues(List<BlockId> ids) {
    return ids.stream().filter(id -> !(id instanceof BlockId.BroadcastBlock)).toList();
  }

  /// A broadcast's value. One that lies serialised is made once for all who use it, and again only
  /// after the heap was so short that it was given up.
  ///
  /// @return empty if it isn't kept
  public Optional<Object> value(BlockId id) {
    synchronized (lock) {
      SoftReference<Object> reference = values.get(id);
      Object value = reference == null ? null : reference.get();
      if (value != null) {
        return Optional.of(value);
      }
    }
    Optional<Object> read = read(id, this::onlyRecord);
    read.ifPresent(
        value -> {
          synchronized (lock) {
            if (blocks.containsKey(id)) {
              values.put(id, new SoftReference<>(value));
            }
          }
        });
    return read;
  }

  private Object onlyRecord(Block block) throws IOException {
    Iterator<Object> records = block.content().records(serializer);
    try {
      return records.next();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      if (records instanceof RecordIterator open) {
        open.close();
      }
    }
  }

  /// Keeps a broadcast's value.
  ///
  /// @param level of objects in memory; if that is short and the level has no disk, it is kept only
  ///     as long as the heap has room
  public void putValue(BlockId id, Object value, long sizeBytes, StorageLevel level)
      throws IOException {
    synchronized (lock) {
      values.put(id, new SoftReference<>(value));
    }
    BlockContent content = new BlockContent.Objects(List.of(value), sizeBytes);
    if (acquire(id, sizeBytes)) {
      put(new Block(id, level, content, sizeBytes));
    } else if (level.useDisk()) {
      put(new Block(id, level, files.write(id, List.of(value).iterator()), 0));
    }
  }

  /// Keeps encoded frames, in memory while there is room, else on disk. They are read by [#stored]
  /// only: by themselves they may be no records.
  public void putFrames(BlockId id, List<byte[]> frames) throws IOException {
    long bytes = frames.stream().mapToLong(frame -> frame.length).sum();
    if (acquire(id, bytes)) {
      BlockContent content = new BlockContent.Frames(List.copyOf(frames), bytes, format);
      put(new Block(id, StorageLevel.MEMORY_AND_DISK_SER, content, bytes));
      return;
    }
    put(new Block(id, StorageLevel.MEMORY_AND_DISK_SER, files.writeFrames(id, frames), 0));
  }

  /// Drops least recently used blocks from memory, to disk if their level says so.
  private long evict(long bytes, Predicate<BlockId> mayGo) {
    List<Block> victims = new ArrayList<>();
    long chosen = 0;
    synchronized (lock) {
      for (Block block : blocks.values()) {
        if (chosen >= bytes) {
          break;
        }
        if (block.memoryBytes() > 0 && mayGo.test(block.id())) {
          victims.add(block);
          chosen += block.memoryBytes();
        }
      }
    }
    long freed = 0;
    for (Block victim : victims) {
      if (evict(victim)) {
        freed += victim.memoryBytes();
      }
    }
    return freed;
  }

  @SuppressWarnings("ReferenceEquality") // this very block, not one stored later under its id
  private boolean evict(Block victim) {
    Optional<Block> moved = victim.level().useDisk() ? moveToDisk(victim) : Optional.empty();
    boolean wasThere;
    synchronized (lock) {
      wasThere = blocks.get(victim.id()) == victim;
      if (wasThere && moved.isPresent()) {
        blocks.put(victim.id(), moved.get());
      } else if (wasThere) {
        blocks.remove(victim.id());
        report(List.of(), List.of(victim.id()));
      }
    }
    if (!wasThere) {
      moved.ifPresent(this::giveBack);
      return false;
    }
    logger.debug(
        "evicted block {} of {} bytes {}",
        victim.id(),
        victim.memoryBytes(),
        moved.isPresent() ? "to disk" : "");
    memory.releaseStorage(victim.memoryBytes());
    return true;
  }

  /// @return empty if that fails: then the block is lost, and computed again when needed
  private Optional<Block> moveToDisk(Block victim) {
    try {
      return Optional.of(
          new Block(victim.id(), victim.level(), files.copy(victim.id(), victim.content()), 0));
    } catch (IOException | KilnException e) {
      logger.warn(
          "block {} is dropped: it can't be moved to disk: {}", victim.id(), e.getMessage());
      return Optional.empty();
    }
  }

  private void remove(Block block) {
    boolean removed;
    synchronized (lock) {
      removed = blocks.remove(block.id(), block);
      if (removed) {
        report(List.of(), List.of(block.id()));
      }
    }
    if (removed) {
      giveBack(block);
    }
  }

  private void giveBack(Block block) {
    if (block.memoryBytes() > 0) {
      memory.releaseStorage(block.memoryBytes());
    }
    if (block.offHeapBytes() > 0) {
      offHeap.release(block.offHeapBytes());
    }
    if (block.content() instanceof BlockContent.OnDisk disk) {
      LocalDirectories.removeFile(disk.path());
    }
  }

  /// Drops the blocks whose id the test accepts.
  public void removeIf(Predicate<BlockId> test) {
    List<Block> removed = new ArrayList<>();
    synchronized (lock) {
      blocks
          .values()
          .removeIf(
              block -> {
                boolean goes = test.test(block.id());
                if (goes) {
                  removed.add(block);
                }
                return goes;
              });
      values.keySet().removeIf(test);
      report(List.of(), removed.stream().map(Block::id).toList());
    }
    removed.forEach(this::giveBack);
  }

  /// Drops all blocks; nobody hears of it.
  public void close() {
    synchronized (lock) {
      closed = true;
    }
    removeIf(_ -> true);
  }

  /// How much the blocks take.
  public Usage usage() {
    synchronized (lock) {
      long disk = 0;
      for (Map.Entry<BlockId, Block> entry : blocks.entrySet()) {
        disk += entry.getValue().diskBytes();
      }
      return new Usage(blocks.size(), offHeap.usedBytes(), disk);
    }
  }

  /// How much the blocks take outside the heap.
  public record Usage(int blocks, long offHeapBytes, long diskBytes) {}
}
