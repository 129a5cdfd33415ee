package io.kiln.cluster.master;

import io.kiln.api.KilnConf;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Entry;
import io.kiln.base.machine.RecordedTurn;
import io.kiln.base.settings.Settings;
import io.kiln.cluster.Descriptions;
import io.kiln.cluster.master.MasterEvent.Elected;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ClusterStatus;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.DriverReport;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.DriverStatus;
import io.kiln.cluster.protocol.ExecutorRequest;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.ExecutorStatus;
import io.kiln.cluster.protocol.FromApplication.ApplicationHeartbeat;
import io.kiln.cluster.protocol.FromApplication.RegisterApplication;
import io.kiln.cluster.protocol.FromApplication.RequestExecutors;
import io.kiln.cluster.protocol.FromClient.RequestDriverStatus;
import io.kiln.cluster.protocol.FromClient.RequestMasterState;
import io.kiln.cluster.protocol.FromClient.RequestSubmitDriver;
import io.kiln.cluster.protocol.FromWorker.DriverStateChanged;
import io.kiln.cluster.protocol.FromWorker.ExecutorStateChanged;
import io.kiln.cluster.protocol.FromWorker.RegisterWorker;
import io.kiln.cluster.protocol.FromWorker.WorkerHeartbeat;
import io.kiln.cluster.protocol.MasterMessage;
import io.kiln.cluster.protocol.ToApplication.RegisteredApplication;
import io.kiln.cluster.protocol.ToClient.DriverStatusResponse;
import io.kiln.cluster.protocol.ToClient.MasterStateResponse;
import io.kiln.cluster.protocol.ToClient.SubmitDriverResponse;
import io.kiln.cluster.protocol.ToWorker;
import io.kiln.cluster.protocol.ToWorker.LaunchDriver;
import io.kiln.cluster.protocol.ToWorker.LaunchExecutor;
import io.kiln.cluster.protocol.WorkerDescription;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A master, its store, and words that workers, applications and clients say to it. A worker `w`
/// has incarnation 1 and says everything in its session 1 unless told otherwise.
final class MasterUnderTest {
  static final Address CLIENT = new Address("client:1", "client");
  static final Instant START = Instant.parse("2026-11-28T12:00:00Z");

  final RecordedTurn turn = new RecordedTurn();
  private final MasterOptions options;
  private Master master;
  private final Map<String, Long> sessions = new LinkedHashMap<>();
  private long epoch;
  private final Map<Long, ExecutorRequest> requests = new HashMap<>();
  private int submissions;

  /// @param settings keys and values, in turn
  MasterUnderTest(String... settings) {
    KilnConf conf = new KilnConf(false);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    options = MasterOptions.of(Settings.of(conf), ZoneOffset.UTC);
    replace();
  }

  static MasterUnderTest alive(String... settings) {
    MasterUnderTest master = new MasterUnderTest(settings);
    master.elect();
    return master;
  }

  /// Another process, with the same store.
  void replace() {
    master = new Master(new Address("master:7077", "master"), "spark://master:7077", "", options);
    turn.timers.clear();
  }

  void elect() {
    say(new Elected(++epoch, entries(), START));
  }

  long epoch() {
    return epoch;
  }

  /// The last of each key.
  List<MasterEntry> entries() {
    Map<String, MasterEntry> last = new LinkedHashMap<>();
    for (Entry entry : turn.persisted) {
      MasterEntry kept = (MasterEntry) entry;
      if (kept instanceof MasterEntry.Removed) {
        last.remove(kept.key());
      } else {
        last.put(kept.key(), kept);
      }
    }
    return List.copyOf(last.values());
  }

  void say(MasterMessage message) {
    master.handle(message, turn);
  }

  void pass(Duration time) {
    turn.pass(time, message -> say((MasterMessage) message));
  }

  /// Lets time pass in which these workers and applications send heartbeats.
  void passWith(Duration time, List<String> workers, List<Long> applications) {
    for (Duration left = time; left.isPositive(); left = left.minusSeconds(1)) {
      workers.forEach(id -> heartbeat(id, Long.MAX_VALUE));
      applications.forEach(this::applicationHeartbeat);
      pass(Duration.ofSeconds(1));
    }
  }

  // workers

  static Address addressOf(String workerId) {
    return new Address(workerId + ":1", "worker");
  }

  void worker(String id, int cores, int memoryMebibytes) {
    worker(id, 1, cores, memoryMebibytes, List.of(), List.of());
  }

  void worker(
      String id,
      long session,
      int cores,
      int memoryMebibytes,
      List<ExecutorStatus> executors,
      List<DriverReport> drivers) {
    register(id, 1, session, id, cores, memoryMebibytes, executors, drivers);
  }

  void register(
      String id,
      long incarnation,
      long session,
      String host,
      int cores,
      int memoryMebibytes,
      List<ExecutorStatus> executors,
      List<DriverReport> drivers) {
    sessions.put(id, session);
    say(
        new RegisterWorker(
            id,
            incarnation,
            session,
            new WorkerDescription(addressOf(host), host, 1, cores, memoryMebibytes, ""),
            executors,
            drivers));
  }

  <M extends ToWorker> List<M> sentToWorker(String id, Class<M> type) {
    return turn.sentTo(addressOf(id), type);
  }

  List<LaunchExecutor> launches(String workerId) {
    return sentToWorker(workerId, LaunchExecutor.class);
  }

  LaunchDriver lastDriver(String workerId) {
    return sentToWorker(workerId, LaunchDriver.class).getLast();
  }

  void heartbeat(String workerId, long seen) {
    heartbeat(workerId, seen, "");
  }

  /// @param trouble as the worker says
  void heartbeat(String workerId, long seen, String trouble) {
    say(
        new WorkerHeartbeat(
            workerId, 1, sessions.get(workerId), epoch, addressOf(workerId), seen, trouble));
  }

  static ExecutorStatus report(LaunchExecutor launch, ExecutorState state, int exitCode) {
    return new ExecutorStatus(
        launch.applicationId(),
        launch.executorId(),
        launch.cores(),
        launch.memoryMebibytes(),
        state,
        state.isFinal() ? Optional.of("exit code " + exitCode) : Optional.empty(),
        state == ExecutorState.EXITED ? Optional.of(exitCode) : Optional.empty());
  }

  void executor(String workerId, LaunchExecutor launch, ExecutorState state) {
    executor(workerId, launch, state, 1);
  }

  void executor(String workerId, LaunchExecutor launch, ExecutorState state, int exitCode) {
    say(
        new ExecutorStateChanged(
            workerId, 1, sessions.get(workerId), report(launch, state, exitCode)));
  }

  static DriverReport report(LaunchDriver launch, DriverState state) {
    return new DriverReport(
        launch.driverId(),
        launch.launch(),
        launch.driver().cores(),
        launch.driver().memoryMebibytes(),
        state,
        Optional.of("as the worker says"),
        state == DriverState.FAILED ? Optional.of(3) : Optional.empty());
  }

  void driver(String workerId, LaunchDriver launch, DriverState state) {
    say(new DriverStateChanged(workerId, 1, sessions.get(workerId), report(launch, state)));
  }

  // applications

  static Address addressOf(long incarnation) {
    return new Address("application-" + incarnation + ":1", "client");
  }

  String application(long incarnation, ApplicationDescription description) {
    application(incarnation, 1, Optional.empty(), description);
    return registered(incarnation).applicationId();
  }

  void application(
      long incarnation,
      long session,
      Optional<String> applicationId,
      ApplicationDescription description) {
    sessions.put("application-" + incarnation, session);
    say(
        new RegisterApplication(
            incarnation,
            session,
            applicationId,
            addressOf(incarnation),
            description,
            requests.getOrDefault(incarnation, ExecutorRequest.first(ExecutorRequest.NO_LIMIT))));
  }

  /// An application that asks for something else than all that it may have.
  void applicationAsking(
      long incarnation, ApplicationDescription description, ExecutorRequest request) {
    requests.put(incarnation, request);
    application(incarnation, 1, Optional.empty(), description);
  }

  /// The application wants so many executors from now on, anywhere.
  void request(long incarnation, int total) {
    request(incarnation, total, List.of(), List.of());
  }

  void request(long incarnation, int total, List<String> wantedHosts, List<String> avoidedHosts) {
    ExecutorRequest before =
        requests.getOrDefault(incarnation, ExecutorRequest.first(ExecutorRequest.NO_LIMIT));
    requests.put(incarnation, before.next(total, wantedHosts, avoidedHosts));
    say(requestOf(incarnation));
  }

  /// The newest request of the application, again.
  RequestExecutors requestOf(long incarnation) {
    return new RequestExecutors(
        incarnation,
        sessions.get("application-" + incarnation),
        registered(incarnation).applicationId(),
        requests.get(incarnation));
  }

  RegisteredApplication registered(long incarnation) {
    return sentToApplication(incarnation, RegisteredApplication.class).getLast();
  }

  void applicationHeartbeat(long incarnation) {
    say(
        new ApplicationHeartbeat(
            incarnation,
            sessions.get("application-" + incarnation),
            epoch,
            registered(incarnation).applicationId(),
            addressOf(incarnation),
            Long.MAX_VALUE,
            requests.getOrDefault(incarnation, ExecutorRequest.first(ExecutorRequest.NO_LIMIT)),
            List.of()));
  }

  <M> List<M> sentToApplication(long incarnation, Class<M> type) {
    return turn.sentTo(addressOf(incarnation), type);
  }

  // clients

  String submit(int cores, int memoryMebibytes, boolean supervise) {
    return submit(
        "request-" + submissions++, Descriptions.driver(cores, memoryMebibytes, supervise));
  }

  String submit(String requestId, DriverDescription driver) {
    say(new RequestSubmitDriver(CLIENT, requestId, driver));
    return turn.sentTo(CLIENT, SubmitDriverResponse.class).getLast().driverId().orElseThrow();
  }

  DriverStatus status(String driverId) {
    say(new RequestDriverStatus(CLIENT, "status", driverId));
    return turn.sentTo(CLIENT, DriverStatusResponse.class).getLast().driver().orElseThrow();
  }

  MasterStateResponse state() {
    say(new RequestMasterState(CLIENT, "state"));
    return turn.sentTo(CLIENT, MasterStateResponse.class).getLast();
  }

  ClusterStatus cluster() {
    return state().cluster();
  }

  ClusterStatus.WorkerStatus workerStatus(String id) {
    return cluster().workers().stream()
        .filter(worker -> worker.workerId().equals(id))
        .findFirst()
        .orElseThrow();
  }
}
