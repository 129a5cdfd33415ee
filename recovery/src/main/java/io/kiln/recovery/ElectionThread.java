package io.kiln.recovery;

import io.kiln.api.KilnException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one thread on which a master takes part in elections. Work that fails here fails the master:
/// lost, it would be an election that nobody ever hears of. Any thread may give it work.
public final class ElectionThread implements Executor, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ElectionThread.class);

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          work -> Thread.ofPlatform().daemon().name("kiln-election").unstarted(work));
  private final Consumer<KilnException> failed;
  private volatile boolean closed;

  /// @param failed hears that this master can't take part any more, and why
  public ElectionThread(Consumer<KilnException> failed) {
    this.failed = failed;
  }

  /// Does the work after all that came before; not at all after [#close].
  @Override
  public void execute(Runnable work) {
    try {
      thread.execute(() -> run(work));
    } catch (RejectedExecutionException e) {
      LOG.debug("Closed meanwhile", e);
    }
  }

  @SuppressWarnings("CatchingUnchecked") // whatever it is, the process can't go on
  private void run(Runnable work) {
    try {
      work.run();
    } catch (Throwable t) {
      if (!closed) {
        failed.accept(
            new KilnException(
                "ELECTION_FAILED",
                KilnException.Kind.INTERNAL,
                "this master can't take part in elections any more ("
                    + t
                    + "); please report this with the log, and start it again",
                t));
      }
    }
  }

  /// What is being done is finished; failures are nobody's matter any more.
  @Override
  public void close() {
    closed = true;
    thread.shutdown();
  }
}
