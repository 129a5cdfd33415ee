package io.kiln.shuffle.server;

import io.kiln.api.KilnException;
import io.kiln.network.transport.Content;
import io.kiln.process.disk.SegmentFile;
import io.kiln.shuffle.CommittedOutput;
import io.kiln.shuffle.ShuffleStore;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives other processes the map outputs of a store. Thread-safe.
public final class ShuffleServer {
  private static final Logger logger = LoggerFactory.getLogger(ShuffleServer.class);

  private final ShuffleStore store;
  private final OutputCopies copies;

  /// @param copies of outputs that are to be kept here
  public ShuffleServer(ShuffleStore store, OutputCopies copies) {
    this.store = store;
    this.copies = copies;
  }

  /// @throws KilnException `NO_CONTENT` if there is no such output
  public Content open(ShuffleRequest request) throws InterruptedException {
    return switch (request) {
      case ShuffleRequest.FetchShuffle fetch -> ShuffleContent.of(store, fetch);
      case ShuffleRequest.CheckShuffle check -> answer(isUndamaged(check));
      case ShuffleRequest.CopyOutput copy -> answer(copies.copyHere(copy));
    };
  }

  private static Content answer(boolean yes) {
    return Content.OfBytes.of(new byte[] {(byte) (yes ? 1 : 0)});
  }

  static KilnException missing(String what) {
    return new KilnException("NO_CONTENT", KilnException.Kind.EXTERNAL, what);
  }

  private boolean isUndamaged(ShuffleRequest.CheckShuffle check) {
    CommittedOutput output =
        store
            .find(check.shuffleId(), check.mapPartition())
            .orElseThrow(() -> missing("it doesn't hold the output"));
    try {
      SegmentFile.open(output.dataFile(), output.segment(check.reducePartition())).close();
      return true;
    } catch (IOException e) {
      logger.warn(
          "The output of map task {} of shuffle {} is damaged and forgotten: {}",
          check.mapPartition(),
          check.shuffleId(),
          e.toString());
      store.forget(output);
      return false;
    }
  }
}
