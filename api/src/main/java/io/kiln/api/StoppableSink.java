package io.kiln.api;

/// Remembers that its sink wants no more, for an operator that pushes several sources into one
/// sink.
final class StoppableSink<T> implements Sink<T> {
  private final Sink<? super T> sink;
  private boolean stopped;

  StoppableSink(Sink<? super T> sink) {
    this.sink = sink;
  }

  @Override
  public boolean accept(T value) throws Exception {
    if (sink.accept(value)) {
      return true;
    }
    stopped = true;
    return false;
  }

  boolean isStopped() {
    return stopped;
  }
}
