package io.kiln.daemon.recovery;

import io.kiln.api.KilnException;
import java.util.List;

/// Elects one of several masters, and keeps what each that leads must know of those before. An
/// implementation for `spark.deploy.recoveryMode=CUSTOM` has a public constructor without arguments
/// and is named by `spark.deploy.recoveryMode.factory`.
///
/// ```
///            start                elected(epoch, entries)
///  created ─────────► standing by ────────────────────────► leading ──► persist, persist, …
///                          ▲               revoked(epoch)      │
///                          └───────────────────────────────────┘
/// ```
///
/// **Epochs.** Each election, in whichever process, has a number greater than all before
/// ([#epochAfter]). That is what protects a cluster from a master that was replaced and does not
/// know: from the moment when a newer epoch's entries have been read, no [#persist] of an older one
/// may succeed. A store therefore compares the epoch in the same atomic step in which it writes.
///
/// **Threads.** The three methods are called by different threads; `persist` by one at a time,
/// which waits for it. The candidate may be called from any thread, one at a time, and returns at
/// once.
public interface Recovery extends AutoCloseable {

  /// The number for an election. It also passes those of masters that have kept theirs elsewhere,
  /// as long as no clock is set far back: workers don't listen to a lower epoch than they have
  /// heard of.
  ///
  /// @param previous the greatest so far, 0 if none
  static long epochAfter(long previous) {
    return Math.max(previous + 1, System.currentTimeMillis());
  }

  /// Begins to stand for election; called once. Where the store can't be reached for the moment, it
  /// says so in the log and goes on trying.
  ///
  /// @throws KilnException if it can never work as it is set up, in one line
  void start(RecoverySetup setup, Candidate candidate);

  /// Returns when all changes are durable: they survive this process and this machine, where the
  /// mode is for more than one. All are kept or none. Waits while that is not known, but not for
  /// ever.
  ///
  /// @param epoch of the election that this master acts by
  /// @param changes not empty; of different keys or, where a key is there twice, the last counts
  /// @throws NotLeadingException if another leads, or may. Then none is kept; or, if the
  ///     connection broke off, all may be, and whoever is elected next finds them
  /// @throws KilnException if they can't be kept, and it is of no use to go on; the master ends
  void persist(long epoch, List<Change> changes) throws NotLeadingException;

  /// Leaves the election, so that another can be elected at once. From then on `persist` throws
  /// [NotLeadingException]. Idempotent.
  @Override
  void close();
}
