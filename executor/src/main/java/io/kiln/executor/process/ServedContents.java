package io.kiln.executor.process;

import io.kiln.network.transport.Content;
import io.kiln.network.transport.ContentSource;
import io.kiln.network.transport.Peer;
import java.io.IOException;
import java.time.Duration;

/// Knows which blocks and map outputs are on their way to others, so that a process that may end
/// does not break them off. Thread-safe.
final class ServedContents implements ContentSource {
  private final ContentSource source;

  // guarded by this
  private int open;

  ServedContents(ContentSource source) {
    this.source = source;
  }

  @Override
  public Content open(Peer from, Record request) throws Exception {
    Content content = source.open(from, request);
    if (!(content instanceof Content.OfPieces(long lengthBytes, Content.Pieces pieces))) {
      return content; // no block and no map output
    }
    synchronized (this) {
      open++;
    }
    return new Content.OfPieces(lengthBytes, new Counted(pieces));
  }

  private synchronized void closed() {
    open--;
    notifyAll();
  }

  /// Returns when nothing is on its way any more, or after that time.
  synchronized void awaitNone(Duration most) throws InterruptedException {
    long deadline = System.nanoTime() + most.toNanos();
    for (long left = most.toMillis();
        open > 0 && left > 0;
        left = (deadline - System.nanoTime()) / 1_000_000) {
      wait(left);
    }
  }

  private final class Counted implements Content.Pieces {
    private final Content.Pieces pieces;

    Counted(Content.Pieces pieces) {
      this.pieces = pieces;
    }

    @Override
    public Content next() throws IOException {
      return pieces.next();
    }

    @Override
    public void close() {
      try {
        pieces.close();
      } finally {
        closed();
      }
    }
  }
}
