package io.kiln.cluster.worker;

import io.kiln.base.machine.Turn;

/// Reports how something is to the master, if one is followed now.
@FunctionalInterface
interface Reporter<P> {
  void report(P report, Turn turn);
}
