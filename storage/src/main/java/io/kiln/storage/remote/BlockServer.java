package io.kiln.storage.remote;

import io.kiln.api.KilnException;
import io.kiln.network.transport.Content;
import io.kiln.network.transport.ContentSource;
import io.kiln.network.transport.Peer;
import io.kiln.protocol.BlockId;
import io.kiln.storage.block.BlockStore;
import io.kiln.storage.disk.SegmentReader;
import io.kiln.storage.shuffle.CommittedOutput;
import io.kiln.storage.shuffle.ShuffleStore;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives other processes what this one has. Thread-safe.
public final class BlockServer implements ContentSource {
  private static final Logger logger = LoggerFactory.getLogger(BlockServer.class);

  private final ShuffleStore shuffles;
  private final BlockStore blocks;
  private final RemoteBlocks others;
  private final OutputCopies copies;
  private final SharedBroadcasts broadcasts;

  public BlockServer(
      ShuffleStore shuffles,
      BlockStore blocks,
      RemoteBlocks others,
      OutputCopies copies,
      SharedBroadcasts broadcasts) {
    this.shuffles = shuffles;
    this.blocks = blocks;
    this.others = others;
    this.copies = copies;
    this.broadcasts = broadcasts;
  }

  /// @throws KilnException `NO_CONTENT` if it is no [StorageRequest], or what the request says
  @Override
  public Content open(Peer from, Record request) throws Exception {
    if (!(request instanceof StorageRequest asked)) {
      throw missing(request.getClass().getSimpleName() + " is nothing that a storage has");
    }
    return switch (asked) {
      case StorageRequest.FetchShuffle fetch -> ShuffleContent.of(shuffles, fetch);
      case StorageRequest.CheckShuffle check -> answer(isUndamaged(check));
      case StorageRequest.ReadBlock(BlockId id) ->
          CheckedContent.of(blocks.stored(id).orElseThrow(() -> missing(id + " is not kept here")));
      case StorageRequest.CopyOutput copy -> answer(copies.copyHere(copy));
      case StorageRequest.CopyBlock copy -> answer(others.copyHere(copy));
      case StorageRequest.DescribeBroadcast(long id) ->
          Content.OfBytes.of(broadcasts.layout(id).orElseThrow(() -> destroyed(id)).encode());
    };
  }

  private static Content answer(boolean yes) {
    return Content.OfBytes.of(new byte[] {(byte) (yes ? 1 : 0)});
  }

  static KilnException missing(String what) {
    return new KilnException("NO_CONTENT", KilnException.Kind.EXTERNAL, what);
  }

  private static KilnException destroyed(long id) {
    return new KilnException(
        "BROADCAST_DESTROYED",
        KilnException.Kind.USER,
        "broadcast " + id + " was destroyed; destroy it only after its last use");
  }

  private boolean isUndamaged(StorageRequest.CheckShuffle check) {
    CommittedOutput output =
        shuffles
            .find(check.shuffleId(), check.mapPartition())
            .orElseThrow(() -> missing("it doesn't hold the output"));
    try {
      SegmentReader.open(
              output.dataFile(), output.segment(check.reducePartition()), output.format())
          .close();
      return true;
    } catch (IOException e) {
      logger.warn(
          "The output of map task {} of shuffle {} is damaged and forgotten: {}",
          check.mapPartition(),
          check.shuffleId(),
          e.toString());
      shuffles.forget(output);
      return false;
    }
  }
}
