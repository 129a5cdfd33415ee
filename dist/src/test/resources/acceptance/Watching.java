package acceptance;

import io.kiln.api.JobFuture;
import io.kiln.api.KilnContext;
import io.kiln.api.accumulator.CollectionAccumulator;
import io.kiln.api.listener.KilnEvent;
import io.kiln.api.listener.KilnEvent.AccumulatorValue;
import io.kiln.api.listener.KilnEvent.StageInfo;
import io.kiln.api.listener.KilnEvent.TaskInfo;
import io.kiln.api.listener.KilnEvent.TaskProgress;
import io.kiln.api.listener.KilnListener;
import io.kiln.api.listener.TaskMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// What listeners hear.
final class Watching {
  private static final long LIMIT_SECONDS = 300;

  private Watching() {}

  static void check(KilnContext sc, Checks c) throws Exception {
    c.group("listeners");
    BlockingQueue<KilnEvent> heard = new LinkedBlockingQueue<>();
    KilnListener listener = heard::add;
    sc.addListener(listener);
    sc.setJobDescription("watched");
    var sums = sc.range(0, 100, 1, 4).keyBy(n -> n % 3).groupByKey(2).cache();
    sums.count();
    sc.setJobDescription(null);
    sums.unpersist(true);
    List<KilnEvent> events = upToTheEnd(heard, sums.id());
    List<String> told = new ArrayList<>();
    events.forEach(event -> told.add(told(event)));
    c.equal("job", List.of("job 2 watched", "job ended"), () -> beginning(told, "job"));
    c.equal(
        "stages",
        List.of("stage 2 0", "stage 4 0", "stage ended 2", "stage ended 4"),
        () -> beginning(told, "stage").stream().sorted().toList());
    c.equal("tasks", 6, () -> beginning(told, "task started").size());
    c.equal("ends of tasks", 6, () -> beginning(told, "task ended true").size());
    c.equal("unpersisted", true, () -> told.contains("unpersisted " + sums.id()));
    String executor =
        events.stream()
            .filter(event -> event instanceof KilnEvent.TaskEnded)
            .map(event -> ((KilnEvent.TaskEnded) event).task().executorId())
            .findFirst()
            .orElseThrow();
    c.holds(
        "executorThreadDump", () -> sc.executorThreadDump(executor).orElseThrow().contains("kiln"));
    c.equal(
        "executorThreadDump of nobody", Optional.empty(), () -> sc.executorThreadDump("nobody"));
    c.equal("progress of a running task", Optional.of("[here]"), () -> progress(sc, heard));
    c.equal(
        "metrics of one's own",
        List.of(7L, 8L),
        () -> {
          TaskMetrics metrics =
              events.stream()
                  .filter(event -> event instanceof KilnEvent.TaskEnded)
                  .map(event -> ((KilnEvent.TaskEnded) event).metrics())
                  .findFirst()
                  .orElseThrow()
                  .withTimes(TaskMetrics.Times.ofRun(7))
                  .withResultSizeBytes(8);
          return List.of(metrics.times().totalNanos(), metrics.resultSizeBytes());
        });
    sc.removeListener(listener);
    sc.setJobDescription("unheard");
    sc.range(0, 3).count();
    sc.setJobDescription(null);
    c.holds(
        "removeListener",
        () ->
            heard.stream()
                .noneMatch(
                    event ->
                        event instanceof KilnEvent.JobStarted job
                            && job.properties().containsValue("unheard")));
  }

  /// What a task that still runs has added to an accumulator.
  private static Optional<String> progress(KilnContext sc, BlockingQueue<KilnEvent> heard)
      throws Exception {
    CollectionAccumulator<String> added = sc.collectionAccumulator("added");
    JobFuture<Void> job =
        sc.range(0, 1, 1, 1)
            .foreachAsync(
                _ -> {
                  added.add("here");
                  Running.endless(0);
                });
    Optional<String> value = Optional.empty();
    while (value.isEmpty()) {
      KilnEvent event = heard.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (event == null) {
        return value;
      }
      if (event instanceof KilnEvent.ExecutorMetricsUpdate update) {
        value =
            update.tasks().stream()
                .flatMap(task -> task.accumulators().stream())
                .filter(accumulator -> accumulator.id() == added.id())
                .map(accumulator -> accumulator.value().toString())
                .findFirst();
      }
    }
    boolean _ = job.cancel(true);
    while (!(heard.poll(LIMIT_SECONDS, TimeUnit.SECONDS) instanceof KilnEvent.JobEnded)) {
      // what is left of the job
    }
    return value;
  }

  private static List<KilnEvent> upToTheEnd(BlockingQueue<KilnEvent> heard, int rddId)
      throws Exception {
    List<KilnEvent> events = new ArrayList<>();
    while (true) {
      KilnEvent event = heard.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (event == null) {
        return events;
      }
      events.add(event);
      if (event instanceof KilnEvent.RddUnpersisted(int id) && id == rddId) {
        return events;
      }
    }
  }

  private static List<String> beginning(List<String> told, String beginning) {
    return told.stream().filter(line -> line.startsWith(beginning)).toList();
  }

  private static String told(KilnEvent event) {
    return switch (event) {
      case KilnEvent.ApplicationStarted(String id, String name, long time) -> id + name + time;
      case KilnEvent.ApplicationEnded(long time) -> "end " + time;
      case KilnEvent.ExecutorAdded(String id, String host, int slots, long time) ->
          "executor " + id + host + slots + time;
      case KilnEvent.ExecutorRemoved(String id, String reason, long time) ->
          "removed " + id + reason + time;
      case KilnEvent.ExecutorMetricsUpdate(String id, List<TaskProgress> tasks, long time) ->
          "progress " + id + tasks.stream().map(Watching::progress).toList() + time;
      case KilnEvent.JobStarted(
              int id,
              long time,
              List<StageInfo> stages,
              Map<String, String> properties) ->
          "job "
              + stages.size()
              + " "
              + (properties.containsValue("watched") ? "watched" : id + "?" + time);
      case KilnEvent.JobEnded(int id, long time, Optional<String> error) ->
          "job ended" + error.map(why -> id + why + time).orElse("");
      case KilnEvent.StageSubmitted(StageInfo stage, long time) ->
          "stage " + stage.numTasks() + " " + stage.attempt() + (time > 0 ? "" : stage.name());
      case KilnEvent.StageCompleted(StageInfo stage, long time, Optional<String> error) ->
          "stage ended "
              + stage.numTasks()
              + error.map(why -> stage.stageId() + why + time).orElse("");
      case KilnEvent.TaskStarted(TaskInfo task, long time) -> "task started " + of(task) + time;
      case KilnEvent.TaskEnded(
              TaskInfo task,
              TaskMetrics metrics,
              long time,
              Optional<String> error) ->
          "task ended " + plausible(metrics) + of(task) + time + error.orElse("");
      case KilnEvent.RddUnpersisted(int id) -> "unpersisted " + id;
    };
  }

  private static String of(TaskInfo task) {
    return List.of(
            task.taskId(),
            task.stageId(),
            task.stageAttempt(),
            task.partition(),
            task.attempt(),
            task.executorId())
        .toString();
  }

  private static String progress(TaskProgress progress) {
    return of(progress.task())
        + plausible(progress.metrics())
        + progress.accumulators().stream().map(Watching::of).toList();
  }

  private static String of(AccumulatorValue value) {
    return value.id() + " " + value.name() + " " + value.value();
  }

  private static boolean plausible(TaskMetrics metrics) {
    TaskMetrics.Times times = metrics.times();
    TaskMetrics.ShuffleRead read = metrics.shuffleRead();
    TaskMetrics.ShuffleWrite write = metrics.shuffleWrite();
    TaskMetrics.Spill spill = metrics.spill();
    return times.totalNanos() >= times.runNanos()
        && times.runMillis() >= 0
        && times.cpuNanos() >= 0
        && times.gcMillis() >= 0
        && times.deserializeNanos() >= 0
        && times.deserializeCpuNanos() >= 0
        && times.resultSerializeNanos() >= 0
        && metrics.resultSizeBytes() >= 0
        && metrics.peakMemoryBytes() >= 0
        && read.bytes() == read.local().bytes() + read.remote().bytes()
        && read.local().count() + read.remote().count() >= 0
        && read.records() >= 0
        && read.remoteToDiskBytes() >= 0
        && read.waitNanos() >= 0
        && read.requests() >= 0
        && read.requestNanos() >= 0
        && (write.records() == 0 || write.bytes() > 0)
        && write.nanos() >= 0
        && spill.memoryBytes() == 0
        && spill.diskBytes() == 0;
  }
}
