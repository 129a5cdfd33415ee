package io.kiln.scheduler.task;

/// Tasks that run equally well anywhere: first those to be tried again, then the rest in order. No
/// state per task, so that a million of them cost nothing.
final class WaitingInOrder implements WaitingTasks {
  private final int total;
  private final IntStack retries = new IntStack();
  private int cursor;

  WaitingInOrder(int total) {
    this.total = total;
  }

  @Override
  public int take(RegisteredExecutor executor, long nowNanos) {
    if (!retries.isEmpty()) {
      return retries.pop();
    }
    return cursor < total ? cursor++ : NONE;
  }

  @Override
  public void giveBack(int index) {
    retries.push(index);
  }

  @Override
  public int count() {
    return retries.size() + total - cursor;
  }
}
