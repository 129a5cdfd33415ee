package io.kiln.scheduler.task;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Turn;
import io.kiln.protocol.ExecutorMessage;
import io.kiln.protocol.ExecutorMessage.LaunchTasks;
import io.kiln.protocol.ExecutorMessage.TaskBatch;
import java.util.ArrayList;
import java.util.List;

/// One incarnation of an executor: what it has, and what it is given in this turn.
final class RegisteredExecutor {
  private final String id;
  private final long incarnation;
  private final Address address;
  private final String host;
  private final int slots;
  private final String place;
  private final List<LaunchBatch> batches = new ArrayList<>();
  private int tasks;
  private long settledNanos;
  private boolean offered;
  private boolean leaving;

  RegisteredExecutor(TaskMessage.ExecutorRegistered registered) {
    this.id = registered.executorId();
    this.incarnation = registered.incarnation();
    this.address = registered.address();
    this.host = registered.host();
    this.slots = registered.slots();
    this.place = "executor:" + id;
  }

  String id() {
    return id;
  }

  long incarnation() {
    return incarnation;
  }

  Address address() {
    return address;
  }

  String host() {
    return host;
  }

  /// How a preference names this executor.
  String place() {
    return place;
  }

  int slots() {
    return slots;
  }

  /// Tasks that it runs or queues.
  int tasks() {
    return tasks;
  }

  boolean hasIdleSlot() {
    return tasks < slots;
  }

  /// Tasks that it has beyond its slots.
  int queued() {
    return Math.max(0, tasks - slots);
  }

  /// When it was last given tasks, or asked to give some back.
  long settledNanos() {
    return settledNanos;
  }

  void taskEnded() {
    tasks--;
  }

  /// Whether it stands in the list of those that may get tasks; the list's owner keeps it.
  boolean offered() {
    return offered;
  }

  void setOffered(boolean nowOffered) {
    offered = nowOffered;
  }

  /// Whether it gets no more tasks.
  boolean isLeaving() {
    return leaving;
  }

  void leave() {
    leaving = true;
  }

  void launch(TaskSetState taskSet, long taskId, int partition, int attempt) {
    tasks++;
    batchOf(taskSet).add(taskId, partition, attempt);
  }

  /// Asks for all that no slot has begun.
  void askBack(Turn turn) {
    settledNanos = turn.nowNanos();
    turn.send(address, new ExecutorMessage.ReturnTasks(incarnation, queued()));
  }

  /// One message for all that it got in this turn.
  void sendBatches(Turn turn) {
    if (batches.isEmpty()) {
      return;
    }
    settledNanos = turn.nowNanos();
    List<TaskBatch> complete = new ArrayList<>(batches.size());
    for (LaunchBatch batch : batches) {
      batch.taskSet().usedBy(this);
      complete.add(batch.toMessage());
    }
    batches.clear();
    turn.send(address, new LaunchTasks(incarnation, complete));
  }

  private LaunchBatch batchOf(TaskSetState taskSet) {
    for (int i = batches.size() - 1; i >= 0; i--) {
      if (batches.get(i).taskSet() == taskSet) {
        return batches.get(i);
      }
    }
    LaunchBatch batch = new LaunchBatch(taskSet);
    batches.add(batch);
    return batch;
  }
}
