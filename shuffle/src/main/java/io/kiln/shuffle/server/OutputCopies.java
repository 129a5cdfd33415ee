package io.kiln.shuffle.server;

import io.kiln.api.KilnException;
import io.kiln.network.codec.WireFormatException;
import io.kiln.network.codec.WireReader;
import io.kiln.network.transport.ContentStream;
import io.kiln.network.transport.Transport;
import io.kiln.shuffle.CommittedOutput;
import io.kiln.shuffle.CopiedOutput;
import io.kiln.shuffle.OutputOrigin;
import io.kiln.shuffle.ShuffleStore;
import io.kiln.shuffle.server.ShuffleRequest.CopyOutput;
import io.kiln.shuffle.server.ShuffleRequest.FetchShuffle;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps copies of map outputs of processes that are about to end. Thread-safe.
public final class OutputCopies {
  private static final Logger logger = LoggerFactory.getLogger(OutputCopies.class);
  private static final int CHUNK_BYTES = 64 << 10;

  private final ShuffleStore store;
  private final Transport transport;
  private final int bufferBytes;
  private final long maxDiskBytes;

  /// Of copies that are being made.
  private final AtomicLong arrivingBytes = new AtomicLong();

  /// @param bufferBytes of writing
  /// @param maxDiskBytes that map outputs may take here; with more, no copy is taken
  public OutputCopies(ShuffleStore store, Transport transport, int bufferBytes, long maxDiskBytes) {
    this.store = store;
    this.transport = transport;
    this.bufferBytes = bufferBytes;
    this.maxDiskBytes = maxDiskBytes;
  }

  /// @return whether it is here now
  boolean copyHere(CopyOutput copy) throws InterruptedException {
    OutputOrigin output = copy.output();
    if (store
        .find(output.shuffleId(), output.mapPartition())
        .map(CommittedOutput::taskAttemptId)
        .filter(attempt -> attempt == output.taskAttemptId())
        .isPresent()) {
      return true;
    }
    try {
      return fetch(copy);
    } catch (IOException | WireFormatException | KilnException e) {
      logger.warn(
          "The output of map task {} of shuffle {} can't be copied from {}: {}",
          output.mapPartition(),
          output.shuffleId(),
          copy.from(),
          e.getMessage());
      return false;
    }
  }

  private boolean fetch(CopyOutput copy) throws IOException, InterruptedException {
    OutputOrigin output = copy.output();
    FetchShuffle request =
        new FetchShuffle(
            output.shuffleId(), new int[] {output.mapPartition()}, 0, copy.numPartitions());
    try (ContentStream stream = transport.open(copy.from().address(), request)) {
      long bytes = stream.lengthBytes();
      try {
        return arrivingBytes.addAndGet(bytes) + store.bytes() <= maxDiskBytes
            && write(stream, output, copy.numPartitions());
      } finally {
        arrivingBytes.addAndGet(-bytes);
      }
    }
  }

  private boolean write(ContentStream stream, OutputOrigin output, int numPartitions)
      throws IOException {
    WireReader table = ShuffleAnswer.table(stream);
    if (table.readByte() != ShuffleContent.HELD) {
      return false;
    }
    try (CopiedOutput copied = new CopiedOutput(output, store, bufferBytes, numPartitions)) {
      for (int partition = 0; partition < numPartitions; partition++) {
        long length = table.readUnsigned();
        int checksum = length == 0 ? 0 : table.readFixedInt();
        receive(stream, length, copied);
        copied.endSegment(checksum);
      }
      return copied.commit();
    }
  }

  private static void receive(ContentStream stream, long length, CopiedOutput copied)
      throws IOException {
    byte[] chunk = new byte[(int) Math.min(length, CHUNK_BYTES)];
    for (long left = length; left > 0; ) {
      int count = (int) Math.min(left, chunk.length);
      ShuffleAnswer.readFully(stream, chunk, 0, count);
      copied.write(chunk, count);
      left -= count;
    }
  }
}
