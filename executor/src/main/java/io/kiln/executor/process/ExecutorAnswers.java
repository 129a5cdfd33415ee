package io.kiln.executor.process;

import io.kiln.api.KilnException;
import io.kiln.executor.Stacks;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.Responder;
import io.kiln.protocol.ExecutorCommand.DropRdd;
import io.kiln.protocol.ExecutorCommand.Dropped;
import io.kiln.protocol.ExecutorCommand.DumpThreads;
import io.kiln.protocol.ExecutorCommand.ThreadDump;
import io.kiln.storage.LocalStorage;

/// Answers what the driver asks this executor. May block. Thread-safe.
record ExecutorAnswers(LocalStorage storage) implements Responder {

  @Override
  public Record answer(Link from, Record question) {
    return switch (question) {
      case DumpThreads _ -> new ThreadDump(Stacks.ofAllThreads());
      case DropRdd(int rddId) -> {
        storage.removeRdd(rddId);
        yield new Dropped();
      }
      default ->
          throw new KilnException(
              "NO_ANSWER",
              KilnException.Kind.INTERNAL,
              "an executor answers no " + question.getClass().getSimpleName());
    };
  }
}
