package io.kiln.driver;

import io.kiln.base.settings.ApplicationSettings;
import java.util.Optional;

/// What an engine is made of.
///
/// @param storage of this process
record EngineParts(
    String applicationId,
    ApplicationParts application,
    LazyStorage storage,
    Broadcasts broadcasts,
    JobRunner jobs,
    Backend backend,
    SchedulerHost scheduler) {

  /// Puts the rest together and starts the scheduler, then the backend. If executors can't come,
  /// both are ended again.
  ///
  /// @param copies where tasks have their copies of broadcasts; empty if they run in this process
  static EngineParts start(
      String applicationId,
      ApplicationParts application,
      LazyStorage storage,
      Optional<BroadcastCopies> copies,
      Backend backend,
      SchedulerHost scheduler) {
    JobResults results =
        new JobResults(
            () -> storage.get().serializer(),
            application.classes(),
            application.accumulators(),
            application.settings().get(ApplicationSettings.MAX_RESULT_SIZE));
    JobRunner jobs =
        new JobRunner(new Planner(backend), scheduler::toDag, SchedulerHost.JOBS, results);
    scheduler.start(jobs, application.status());
    try {
      backend.start();
    } catch (RuntimeException | Error e) {
      backend.stopTasks();
      backend.close();
      scheduler.close();
      throw e;
    }
    return new EngineParts(
        applicationId,
        application,
        storage,
        new Broadcasts(applicationId, storage, copies),
        jobs,
        backend,
        scheduler);
  }

  /// As of now: a cluster gives and takes.
  int defaultParallelism() {
    return application
        .settings()
        .find(ApplicationSettings.DEFAULT_PARALLELISM)
        .orElseGet(backend::slots);
  }
}
