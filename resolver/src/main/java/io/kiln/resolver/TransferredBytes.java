package io.kiln.resolver;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.eclipse.aether.transfer.AbstractTransferListener;
import org.eclipse.aether.transfer.TransferEvent;

/// Counts what is fetched. Thread-safe.
final class TransferredBytes extends AbstractTransferListener {
  private final LongConsumer progress;
  private final AtomicLong bytes = new AtomicLong();

  TransferredBytes(LongConsumer progress) {
    this.progress = progress;
  }

  @Override
  public void transferProgressed(TransferEvent event) {
    progress.accept(bytes.addAndGet(event.getDataLength()));
  }
}
