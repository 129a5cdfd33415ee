package io.kiln.storage.remote;

import io.kiln.api.KilnException;
import io.kiln.network.transport.Content;
import io.kiln.network.transport.ContentSource;
import io.kiln.network.transport.Peer;
import io.kiln.protocol.BlockId;
import io.kiln.shuffle.server.ShuffleRequest;
import io.kiln.shuffle.server.ShuffleServer;
import io.kiln.storage.block.BlockStore;

/// Gives other processes what this one has. Thread-safe.
public final class BlockServer implements ContentSource {
  private final ShuffleServer shuffles;
  private final BlockStore blocks;
  private final RemoteBlocks others;
  private final SharedBroadcasts broadcasts;

  public BlockServer(
      ShuffleServer shuffles, BlockStore blocks, RemoteBlocks others, SharedBroadcasts broadcasts) {
    this.shuffles = shuffles;
    this.blocks = blocks;
    this.others = others;
    this.broadcasts = broadcasts;
  }

  /// @throws KilnException `NO_CONTENT` if it is no request of these, or what the request says
  @Override
  public Content open(Peer from, Record request) throws Exception {
    return switch (request) {
      case ShuffleRequest asked -> shuffles.open(asked);
      case StorageRequest asked -> open(asked);
      default ->
          throw missing(request.getClass().getSimpleName() + " is nothing that a storage has");
    };
  }

  private Content open(StorageRequest request) throws Exception {
    return switch (request) {
      case StorageRequest.ReadBlock(BlockId id) ->
          CheckedContent.of(blocks.stored(id).orElseThrow(() -> missing(id + " is not kept here")));
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
}
