package io.kiln.storage;

import io.kiln.api.KilnException;
import io.kiln.api.StorageLevel;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.process.disk.LocalDirectories;
import io.kiln.protocol.BlockId;
import io.kiln.shuffle.ShuffleStore;
import io.kiln.shuffle.server.OutputCopies;
import io.kiln.shuffle.server.ShuffleServer;
import io.kiln.storage.block.BlockReports;
import io.kiln.storage.block.BlockStore;
import io.kiln.storage.block.OtherBlocks;
import io.kiln.storage.block.PersistedRecords;
import io.kiln.storage.memory.SizeEstimator;
import io.kiln.storage.memory.UnifiedMemory;
import io.kiln.storage.remote.BlockServer;
import io.kiln.storage.remote.Departure;
import io.kiln.storage.remote.Peers;
import io.kiln.storage.remote.RemoteBlocks;
import io.kiln.storage.remote.RemoteMapOutputs;
import io.kiln.storage.remote.SharedBroadcasts;
import io.kiln.storage.serializer.ObjectSerializer;
import io.kiln.storage.shuffle.MapOutputSource;
import io.kiln.storage.shuffle.OwnMapOutputs;
import io.kiln.storage.shuffle.TaskResources;
import io.kiln.storage.shuffle.TaskShuffles;
import java.io.IOException;
import java.util.Optional;

/// All that one executor process keeps: memory, blocks, map outputs, local directories. One a
/// process and application. Thread-safe.
public final class LocalStorage implements AutoCloseable {
  private final StorageOptions options;
  private final ObjectSerializer serializer;
  private final LocalDirectories directories;
  private final UnifiedMemory memory;
  private final BlockStore blocks;
  private final PersistedRecords persisted;
  private final ShuffleStore shuffles;
  private final MapOutputSource mapOutputs;
  private final Optional<Peers> peers;
  private final Optional<SharedBroadcasts> broadcasts;

  private LocalStorage(StorageOptions options, ApplicationClasses classes, Optional<Peers> peers) {
    this.options = options;
    this.serializer = new ObjectSerializer(options.serializer(), classes);
    this.directories = LocalDirectories.open(options.localDirectories());
    this.memory =
        new UnifiedMemory(options.memory().engineBytes(), options.memory().storageFraction());
    this.blocks =
        new BlockStore(
            memory,
            options.memory().offHeapBytes(),
            directories,
            serializer,
            options.compression().rddFormat(),
            options.diskWriteBufferBytes(),
            peers.isPresent() ? peers.get().reports() : BlockReports.NOBODY);
    this.persisted =
        new PersistedRecords(
            blocks, peers.isPresent() ? new RemoteBlocks(blocks, peers.get()) : OtherBlocks.NONE);
    this.peers = peers;
    this.broadcasts =
        peers.isPresent()
            ? Optional.of(
                new SharedBroadcasts(blocks, serializer, options.compression().key(), peers.get()))
            : Optional.empty();
    this.shuffles = new ShuffleStore(directories);
    this.mapOutputs =
        peers.isPresent()
            ? new RemoteMapOutputs(shuffles, peers.get())
            : new OwnMapOutputs(shuffles);
  }

  /// @throws KilnException with code `LOCAL_DIR_UNUSABLE` if no local directory can be written to
  public static LocalStorage open(StorageOptions options, ApplicationClasses classes) {
    return new LocalStorage(options, classes, Optional.empty());
  }

  /// A storage that uses what other processes have, too.
  public static LocalStorage open(StorageOptions options, ApplicationClasses classes, Peers peers) {
    return new LocalStorage(options, classes, Optional.of(peers));
  }

  /// Gives others what is kept here, once it is asked: to be put behind the transport of the peers
  /// that this was opened with.
  public BlockServer server() {
    return new BlockServer(
        new ShuffleServer(
            shuffles,
            new OutputCopies(
                shuffles,
                peers.orElseThrow().transport(),
                options.diskWriteBufferBytes(),
                peers.orElseThrow().departure().maxDiskBytes())),
        blocks,
        new RemoteBlocks(blocks, peers.orElseThrow()),
        shared());
  }

  /// Moves what is kept here to others, once it is run; only for a storage that was opened with
  /// peers.
  public Departure departure(Departure.OutputMoves moves) {
    return Departure.of(peers.orElseThrow(), blocks, shuffles, moves);
  }

  /// The broadcasts of all processes; only for a storage that was opened with peers.
  public SharedBroadcasts shared() {
    return broadcasts.orElseThrow();
  }

  /// @param taskAttemptId unique in the application
  public TaskStorage forTask(long taskAttemptId) {
    TaskResources resources =
        new TaskResources(
            taskAttemptId,
            memory.forTask("task " + taskAttemptId),
            directories,
            serializer,
            options.compression(),
            options.diskWriteBufferBytes());
    return new TaskStorage(resources, new TaskShuffles(resources, shuffles, mapOutputs), persisted);
  }

  public ObjectSerializer serializer() {
    return serializer;
  }

  /// Keeps a broadcast value for this process: in memory while there is room, else on disk. If one
  /// with this id is kept already, that one stays.
  public void putBroadcast(long broadcastId, Object value) {
    try {
      blocks.putValue(
          new BlockId.BroadcastBlock(broadcastId),
          value,
          new SizeEstimator().estimate(value),
          StorageLevel.MEMORY_AND_DISK);
    } catch (IOException e) {
      throw new KilnException(
          "BROADCAST_NOT_STORED",
          KilnException.Kind.RESOURCES,
          "broadcast " + broadcastId + " can't be kept: " + e.getMessage(),
          e);
    }
  }

  /// @return empty if it isn't kept here
  public Optional<Object> broadcast(long broadcastId) {
    return blocks.value(new BlockId.BroadcastBlock(broadcastId));
  }

  /// Drops the value, and what was fetched from others for it.
  public void removeBroadcast(long broadcastId) {
    if (broadcasts.isPresent()) {
      broadcasts.get().remove(broadcastId);
    } else {
      blocks.removeIf(new BlockId.BroadcastBlock(broadcastId)::equals);
    }
  }

  /// Whether a block of the RDD is kept here, in memory or on disk.
  public boolean holds(int rddId, int partition) {
    return blocks.holds(new BlockId.RddBlock(rddId, partition));
  }

  /// Whether a committed output of the map task is here.
  public boolean holdsMapOutput(int shuffleId, int mapPartition) {
    return shuffles.holds(shuffleId, mapPartition);
  }

  /// Drops the RDD's blocks. A task that reads one from memory goes on; one that reads it from a
  /// file may fail and be tried again.
  public void removeRdd(int rddId) {
    blocks.removeIf(id -> id instanceof BlockId.RddBlock block && block.rddId() == rddId);
  }

  /// Drops the shuffle's outputs and files.
  public void removeShuffle(int shuffleId) {
    shuffles.remove(shuffleId);
  }

  public StorageStatus status() {
    BlockStore.Usage usage = blocks.usage();
    return new StorageStatus(
        memory.totalBytes(),
        memory.executionBytes(),
        memory.storageBytes(),
        usage.offHeapBytes(),
        usage.diskBytes(),
        usage.blocks());
  }

  /// Removes all blocks, outputs and directories. Idempotent. Tasks must have ended.
  @Override
  public void close() {
    blocks.close();
    directories.close();
  }
}
