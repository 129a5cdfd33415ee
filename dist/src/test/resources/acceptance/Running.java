package acceptance;

import io.kiln.api.JobFuture;
import io.kiln.api.JobStatus;
import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import io.kiln.api.StageStatus;
import io.kiln.api.StatusTracker;
import io.kiln.api.TaskContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Jobs: asked for one by one or in the background, watched, cancelled; and the tasks' side of it.
final class Running {
  private static final long LIMIT_SECONDS = 300;

  private Running() {}

  static void check(KilnContext sc, Checks c, Path directory) throws Exception {
    RDD<Integer> numbers = sc.parallelize(Data.NUMBERS, 4);
    jobs(sc, numbers, c);
    background(sc, numbers, c);
    properties(sc, numbers, c);
    cancelling(sc, c);
    tasks(numbers, c, Files.createDirectory(directory.resolve("tasks")));
  }

  private static void jobs(KilnContext sc, RDD<Integer> numbers, Checks c) {
    c.group("jobs");
    List<Integer> sizes = List.of(25, 25, 25, 25);
    c.equal(
        "runJob",
        List.of("0: 25", "1: 25", "2: 25", "3: 25"),
        () ->
            sc.runJob(
                numbers, (task, records) -> task.partitionId() + ": " + size(records.iterator())));
    c.equal(
        "runJob on some",
        List.of(3, 1),
        () -> sc.runJob(numbers, (task, _) -> task.partitionId(), new int[] {3, 1}));
    c.equal("runJob on iterators", sizes, () -> sc.runJob(numbers, i -> size(i)));
    c.equal(
        "runJob on some iterators",
        List.of(25),
        () -> sc.runJob(numbers, i -> size(i), new int[] {2}));
    c.equal(
        "runJob with a handler",
        Map.of(0, 2, 1, 0),
        () -> {
          Map<Integer, Integer> results = new java.util.HashMap<>();
          sc.runJob(numbers, (task, _) -> task.partitionId(), new int[] {2, 0}, results::put);
          return results;
        });
    c.equal(
        "submitJob",
        100,
        () -> {
          List<Integer> results = new ArrayList<>();
          return sc.submitJob(
                  numbers,
                  (_, records) -> size(records.iterator()),
                  new int[] {0, 1, 2, 3},
                  (_, size) -> results.add(size),
                  () -> results.stream().mapToInt(size -> size).sum())
              .await();
        });
    c.equal(
        "records pushed",
        List.of(1, 26, 51, 76),
        () ->
            sc.runJob(
                numbers,
                (_, records) -> {
                  List<Integer> first = new ArrayList<>();
                  records.forEach(
                      record -> {
                        first.add(record);
                        return false;
                      });
                  return first.getFirst();
                }));
  }

  private static int size(java.util.Iterator<?> records) {
    int size = 0;
    for (; records.hasNext(); records.next()) {
      size++;
    }
    return size;
  }

  private static void background(KilnContext sc, RDD<Integer> numbers, Checks c) {
    c.group("background");
    c.equal("countAsync", 100L, () -> numbers.countAsync().get());
    c.equal(
        "collectAsync",
        Data.NUMBERS,
        () -> numbers.collectAsync().get(LIMIT_SECONDS, TimeUnit.SECONDS));
    c.equal("takeAsync", Data.NUMBERS.subList(0, 30), () -> numbers.takeAsync(30).await());
    io.kiln.api.accumulator.LongAccumulator seen = sc.longAccumulator();
    c.equal(
        "foreachAsync",
        5050L,
        () -> {
          numbers.foreachAsync(n -> seen.add(n)).await();
          return seen.value();
        });
    c.equal(
        "foreachPartitionAsync",
        5054L,
        () -> {
          numbers
              .foreachPartitionAsync(_ -> seen.add(1))
              .toCompletableFuture()
              .get(LIMIT_SECONDS, TimeUnit.SECONDS);
          return seen.value();
        });
    c.equal(
        "foreachPartition",
        5154L,
        () -> {
          numbers.foreachPartition(records -> seen.add(size(records)));
          return seen.value();
        });
    c.equal(
        "onComplete",
        100L,
        () -> {
          CompletableFuture<Long> told = new CompletableFuture<>();
          numbers.countAsync().onComplete((count, _) -> told.complete(count));
          return told.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        });
    JobFuture<Long> done = numbers.countAsync();
    c.equal("await", 100L, done::await);
    c.equal(
        "states",
        List.of(true, false, 1),
        () -> List.of(done.isDone(), done.isCancelled(), done.jobIds().size()));
  }

  private static void properties(KilnContext sc, RDD<Integer> numbers, Checks c) {
    c.group("properties");
    sc.setLocalProperty("acceptance", "on");
    c.equal("localProperty", Optional.of("on"), () -> sc.localProperty("acceptance"));
    c.equal("localProperties", "on", () -> sc.localProperties().get("acceptance"));
    c.equal(
        "localProperty in a task",
        List.of("on"),
        () ->
            numbers
                .map(_ -> task().localProperty("acceptance").orElse("off"))
                .distinct()
                .collect());
    sc.setLocalProperty("acceptance", null);
    sc.addJobTag("one");
    sc.addJobTag("two");
    c.equal("jobTags", Set.of("one", "two"), sc::jobTags);
    sc.removeJobTag("one");
    c.equal("removeJobTag", Set.of("two"), sc::jobTags);
    sc.clearJobTags();
    c.equal("clearJobTags", Set.of(), sc::jobTags);
    sc.setJobGroup("described", "a group", true);
    sc.setJobDescription("another description");
    sc.setInterruptOnCancel(false);
    numbers.keyBy(n -> n % 2).groupByKey(3).count();
    StatusTracker status = sc.statusTracker();
    List<Integer> jobs = status.jobIdsForGroup("described");
    c.equal("jobIdsForGroup", 1, jobs::size);
    sc.clearJobGroup();
    c.equal("clearJobGroup", List.of(), () -> List.copyOf(sc.localProperties().keySet()));
    c.equal(
        "jobIdsWithoutGroup", false, () -> status.jobIdsWithoutGroup().contains(jobs.getFirst()));
    JobStatus job = status.job(jobs.getFirst()).orElseThrow();
    c.equal(
        "job",
        List.of(jobs.getFirst(), JobStatus.State.SUCCEEDED, 2),
        () -> List.of(job.jobId(), job.state(), job.stageIds().size()));
    StageStatus stage =
        status.stage(job.stageIds().stream().max(Integer::compare).orElseThrow()).orElseThrow();
    c.equal(
        "stage",
        List.of(true, 0, true, 3, 0, 3, 0),
        () ->
            List.of(
                job.stageIds().contains(stage.stageId()),
                stage.attempt(),
                stage.name().contains("count"),
                stage.numTasks(),
                stage.numActiveTasks(),
                stage.numCompletedTasks(),
                stage.numFailedTasks()));
    c.holds("submissionTimeMillis", () -> stage.submissionTimeMillis() >= sc.startTime());
  }

  private static TaskContext task() {
    return TaskContext.current().orElseThrow();
  }

  /// Runs until it is told to end.
  static int endless(int number) {
    TaskContext task = task();
    while (!task.isInterrupted()) {
      LockSupport.parkNanos(1_000_000);
    }
    task.throwIfInterrupted();
    return number;
  }

  private static void cancelling(KilnContext sc, Checks c) {
    c.group("cancelling");
    cancelled(sc, c, "cancelJob", "", job -> sc.cancelJob(job.jobIds().getFirst()));
    cancelled(
        sc,
        c,
        "cancelJob for a reason",
        "why not",
        job -> sc.cancelJob(job.jobIds().getFirst(), "why not"));
    cancelled(sc, c, "cancelStage", "", _ -> sc.cancelStage(stageOf(sc)));
    cancelled(
        sc,
        c,
        "cancelStage for a reason",
        "stage why",
        _ -> sc.cancelStage(stageOf(sc), "stage why"));
    cancelled(sc, c, "cancelJobGroup", "group", _ -> sc.cancelJobGroup("group"));
    cancelled(
        sc,
        c,
        "cancelJobGroup for a reason",
        "group why",
        _ -> sc.cancelJobGroup("group", "group why"));
    cancelled(sc, c, "cancelJobsWithTag", "tag", _ -> sc.cancelJobsWithTag("tag"));
    cancelled(
        sc,
        c,
        "cancelJobsWithTag for a reason",
        "tag why",
        _ -> sc.cancelJobsWithTag("tag", "tag why"));
    cancelled(sc, c, "cancelAllJobs", "", _ -> sc.cancelAllJobs());
    cancelled(sc, c, "cancel of the future", "", job -> job.cancel(true));
    cancelled(
        sc,
        c,
        "cancelJobGroupAndFutureJobs",
        "group",
        _ -> sc.cancelJobGroupAndFutureJobs("group"));
    sc.setJobGroup("group", "cancelled for good");
    c.fails("a job of a group that is cancelled for good", "group", () -> sc.range(0, 3).count());
    sc.setJobGroup("other group", "cancelled for good, too");
    sc.cancelJobGroupAndFutureJobs("other group", "for good");
    c.fails(
        "a job of a group that is cancelled for good for a reason",
        "for good",
        () -> sc.range(0, 3).count());
    sc.clearJobGroup();
    c.equal("a job after all that", 3L, () -> sc.range(0, 3).count());
  }

  private static int stageOf(KilnContext sc) {
    return sc.statusTracker().activeStageIds().getFirst();
  }

  private static void cancelled(
      KilnContext sc, Checks c, String name, String message, Consumer<JobFuture<?>> cancel) {
    c.fails(
        name,
        message,
        () -> {
          sc.setJobGroup("group", "to be cancelled");
          sc.addJobTag("tag");
          JobFuture<List<Integer>> job =
              sc.parallelize(List.of(1, 2), 2).map(Running::endless).collectAsync();
          sc.clearJobGroup();
          sc.clearJobTags();
          StatusTracker status = sc.statusTracker();
          await(() -> !job.jobIds().isEmpty() && status.activeJobIds().containsAll(job.jobIds()));
          await(() -> !status.activeStageIds().isEmpty());
          cancel.accept(job);
          try {
            return job.await();
          } finally {
            await(() -> status.activeJobIds().isEmpty());
          }
        });
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long start = System.nanoTime();
    while (!condition.call()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
        throw new IllegalStateException("waited for " + LIMIT_SECONDS + " seconds");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static void tasks(RDD<Integer> numbers, Checks c, Path directory) {
    c.group("tasks");
    String place = directory.toString();
    c.equal("outside", Optional.empty(), TaskContext::current);
    c.equal(
        "parts",
        List.of("0 0 true", "1 0 true", "2 0 true", "3 0 true"),
        () ->
            numbers
                .mapPartitions(
                    _ ->
                        List.of(
                                task().partitionId()
                                    + " "
                                    + task().stageAttemptNumber()
                                    + " "
                                    + (task().stageId() >= 0))
                            .iterator())
                .collect());
    c.equal(
        "taskAttemptId",
        4L,
        () ->
            numbers
                .mapPartitions(_ -> List.of(task().taskAttemptId()).iterator())
                .distinct()
                .count());
    c.equal(
        "onCompletion",
        List.of("ended 0", "ended 1", "ended 2", "ended 3"),
        () -> {
          numbers.foreachPartition(_ -> atTheEnd(place, "ended " + task().partitionId()));
          return names(directory, "ended");
        });
    c.fails("a task that fails", "on purpose", () -> numbers.map(n -> failing(place, n)).count());
    c.equal(
        "onFailure", List.of("failed on purpose 0"), () -> names(directory, "failed on purpose 0"));
  }

  private static void atTheEnd(String place, String name) {
    task().onCompletion(() -> write(place, name));
  }

  private static int failing(String place, int number) {
    if (number == 60) {
      int attempt = task().attemptNumber();
      task().onFailure(failure -> write(place, "failed " + failure.getMessage() + " " + attempt));
      throw new IllegalStateException("on purpose");
    }
    return number;
  }

  private static void write(String place, String name) {
    try {
      Files.writeString(Path.of(place, name), "");
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<String> names(Path directory, String beginning) throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(beginning))
          .sorted()
          .toList();
    }
  }
}
