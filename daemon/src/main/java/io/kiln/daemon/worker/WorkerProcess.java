package io.kiln.daemon.worker;

import io.kiln.api.KilnException;
import io.kiln.api.Version;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.base.settings.ClusterSettings;
import io.kiln.base.settings.DecommissionSettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.WorkerSettings;
import io.kiln.cluster.protocol.WorkerDescription;
import io.kiln.cluster.protocol.WorkerMessage;
import io.kiln.cluster.worker.Worker;
import io.kiln.cluster.worker.WorkerEvent.Decommission;
import io.kiln.cluster.worker.WorkerEvent.Start;
import io.kiln.cluster.worker.WorkerEvent.StatusWanted;
import io.kiln.cluster.worker.WorkerEvent.Stop;
import io.kiln.cluster.worker.WorkerIdentity;
import io.kiln.cluster.worker.WorkerOptions;
import io.kiln.cluster.worker.WorkerStatus;
import io.kiln.daemon.Questions;
import io.kiln.daemon.web.HttpSites;
import io.kiln.daemon.web.Snapshot;
import io.kiln.daemon.web.StatusServer;
import io.kiln.daemon.web.WorkerJson;
import io.kiln.network.transport.ListenPort;
import io.kiln.network.transport.Peer;
import io.kiln.node.ClusterNode;
import io.kiln.node.KeyFiles;
import io.kiln.node.Role;
import io.kiln.node.RoleKey;
import io.kiln.node.RoleName;
import io.kiln.process.NetworkSetup;
import io.kiln.process.ProcessDirectory;
import io.kiln.process.ProcessSignal;
import io.kiln.process.ScratchDirectories;
import io.kiln.runtime.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A worker in this process: offers what it has to its masters, and runs what they say.
/// Thread-safe.
final class WorkerProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerProcess.class);
  private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");
  private static final Duration GOODBYE_MORE = Duration.ofSeconds(2);
  private static final int FAILED = 1;

  /// What a worker has to give, and where it is reached.
  ///
  /// @param work where applications and drivers have their directories
  record Offer(
      String host,
      ListenPort port,
      ListenPort webPort,
      int cores,
      int memoryMebibytes,
      Path work) {}

  private final ClusterNode node;
  private final Runners runners;
  private final StatusServer web;
  private final String webUrl;
  private final String id;
  private final Address self;
  private final Path scratch;
  private final WorkDirectory work;
  private final Settings settings;
  private final Duration goodbye;
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

  /// @param masters `host:port` of each
  /// @throws KilnException if it can't listen, has no secret, or can't write
  static WorkerProcess start(
      Offer offer, List<String> masters, Settings settings, Map<String, String> environment) {
    return new WorkerProcess(offer, masters, settings, environment);
  }

  private WorkerProcess(
      Offer offer, List<String> masters, Settings settings, Map<String, String> environment) {
    this.settings = settings;
    Users users = Users.of(settings);
    Optional<LogRolling> rolling = LogRolling.of(settings);
    long now = System.currentTimeMillis();
    node =
        new ClusterNode(
            Role.WORKER,
            NetworkSetup.options(
                settings,
                new Peer(RoleName.WORKER.prefix(), now, Version.CURRENT),
                KeyFiles.ofWorker(settings).map(RoleKey::credentials)),
            this::failed);
    self = node.listen(offer.host(), offer.host(), offer.port());
    int port = Integer.parseInt(self.process().substring(self.process().lastIndexOf(':') + 1));
    id =
        "worker-"
            + SECONDS.format(LocalDateTime.now(ZoneId.systemDefault()))
            + "-"
            + offer.host()
            + "-"
            + port;
    scratch =
        ProcessDirectory.in(
            ScratchDirectories.find(
                    settings, Optional.ofNullable(environment.get("SPARK_LOCAL_DIRS")))
                .roots()
                .getFirst(),
            "worker");
    Duration ends = settings.get(ClusterSettings.END_TIMEOUT);
    Duration leaves = Worker.LEAVES_WITHIN;
    goodbye = (ends.compareTo(leaves) > 0 ? ends : leaves).plus(GOODBYE_MORE);
    ChildEnvironment childEnvironment = ChildEnvironment.of(settings, environment);
    work = makeDirectories(offer.work(), users, childEnvironment);
    web = openWeb(settings, offer);
    webUrl = web.url(offer.host());
    Questions<WorkerMessage> questions =
        new Questions<>(
            new Address(self.process(), "questions"),
            node::tell,
            answer -> ((WorkerStatus) answer).requestId(),
            NetworkSetup.askTimeout(settings));
    runners =
        new Runners(
            new ExecutorRunner.Worker(url(), offer.host(), work, scratch, childEnvironment, users),
            new RoomCheck(
                List.of(work.own(), scratch), settings.get(WorkerSettings.MIN_FREE_SPACE)),
            settings.get(ClusterSettings.END_TIMEOUT),
            rolling,
            ProgramUmask.of(environment),
            this::tell,
            this::end);
    if (settings.get(WorkerSettings.CLEANUP_ENABLED)) {
      Thread.ofVirtual().name("kiln-clear-up").start(runners::removeAbandoned);
    }
    Address runner = new Address(self.process(), "runner");
    node.run(
        WorkerMessage.class,
        new Worker(
            new WorkerIdentity(id, new SecureRandom().nextLong()),
            new WorkerDescription(
                self, offer.host(), port, offer.cores(), offer.memoryMebibytes(), webUrl),
            masters.stream().map(Role.MASTER::at).toList(),
            runner,
            WorkerOptions.of(settings)),
        Journal.NONE,
        Map.of(runner, runners, questions.address(), questions),
        new Start());
    Snapshot<WorkerStatus> states =
        new Snapshot<>(
            () ->
                questions.ask(
                    asked -> new StatusWanted(questions.address(), asked), WorkerStatus.class),
            StatusServer.AGE,
            System::nanoTime);
    web.serve(field -> states.get().thenApply(status -> WorkerJson.write(status, field)));
  }

  private StatusServer openWeb(Settings settings, Offer offer) {
    try {
      return StatusServer.open(
          HttpSites.of(
              settings,
              List.of(offer.host()),
              offer.webPort(),
              "--host",
              "show the worker's state over HTTP"));
    } catch (KilnException e) {
      node.close();
      throw e;
    }
  }

  /// What it needs for whatever it runs; without that it does not register.
  private WorkDirectory makeDirectories(
      Path wanted, Users users, ChildEnvironment childEnvironment) {
    try {
      WorkDirectory.probe(ProcessDirectory.make(scratch));
      new JavaCheck(scratch, childEnvironment).run();
      WorkDirectory opened = WorkDirectory.open(wanted);
      users.openForAll(List.of(wanted, scratch));
      return opened;
    } catch (IOException e) {
      node.close();
      remove(scratch);
      throw new KilnException(
          "WORKER_UNUSABLE",
          KilnException.Kind.USER,
          "this worker could run nothing, with the work directory "
              + wanted
              + " and the scratch directory "
              + scratch.getParent()
              + ": "
              + e
              + "; make room or give rights there, or name others by --work-dir and"
              + " SPARK_LOCAL_DIRS",
          e);
    }
  }

  private static void remove(Path scratch) {
    try {
      ProcessDirectory.remove(scratch);
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("{} can't be removed: {}", scratch, e.toString());
    }
  }

  /// From now on a signal has the worker take nothing more, and end once it is empty.
  ///
  /// @return its name; empty if there is none (`spark.decommission.enabled`)
  /// @throws KilnException `SIGNAL_UNUSABLE`
  Optional<String> decommissionOnSignal() {
    if (!settings.get(DecommissionSettings.ENABLED)) {
      return Optional.empty();
    }
    String signal = settings.get(DecommissionSettings.WORKER_SIGNAL);
    ProcessSignal.handle(
        signal, DecommissionSettings.WORKER_SIGNAL.key(), () -> tell(new Decommission()));
    return Optional.of(signal);
  }

  String id() {
    return id;
  }

  String url() {
    return "spark://Worker@" + self.process();
  }

  /// Where its state is shown over HTTP.
  String webUrl() {
    return webUrl;
  }

  private void tell(Message message) {
    try {
      node.tell(message);
    } catch (KilnException e) {
      LOG.debug("The worker is ending and does not hear {}", message, e);
    }
  }

  private void failed(KilnException failure) {
    System.err.println("Error: " + failure.getMessage());
    exitCode.complete(FAILED);
  }

  private void end(Optional<String> failure) {
    failure.ifPresent(why -> System.err.println("Error: " + why));
    exitCode.complete(failure.isPresent() ? FAILED : 0);
  }

  /// Returns when there is nothing more to do.
  ///
  /// @return the process's exit code
  int await() {
    return exitCode.join();
  }

  /// Ends what runs here and takes leave of the master, as long as that takes no longer than
  /// processes may.
  @Override
  public void close() {
    tell(new Stop());
    try {
      int _ = exitCode.get(goodbye.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.debug("The worker ends without having taken leave", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    runners.close();
    web.close();
    node.close();
    remove(scratch);
    try (work) {
      LOG.debug("What it has written in {} stays", work.path());
    } catch (IOException e) {
      LOG.warn("The worker's own directory in {} can't be removed: {}", work.path(), e.toString());
    }
    exitCode.complete(0);
  }
}
