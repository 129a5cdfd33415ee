package io.kiln.runtime;

import io.kiln.base.machine.Message;

/// A [Journal] takes no entries of this machine now. None of the turn's sends or timers counts; the
/// machine, whose state is ahead of what is kept, is told before anything else.
public final class EntriesRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Message verdict;

  /// @param verdict what the machine is told
  /// @param why one line
  public EntriesRefused(Message verdict, String why) {
    super(why);
    this.verdict = verdict;
  }

  Message verdict() {
    return verdict;
  }
}
