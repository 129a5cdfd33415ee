package io.kiln.executor.process;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.api.Version;
import io.kiln.base.resource.FileTree;
import io.kiln.base.settings.ApplicationSettings;
import io.kiln.base.settings.ClusterSettings;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Settings;
import io.kiln.executor.BroadcastReference;
import io.kiln.executor.Executor;
import io.kiln.executor.ExecutorSettings;
import io.kiln.executor.ReaperOptions;
import io.kiln.executor.StorageSetup;
import io.kiln.network.security.Credentials;
import io.kiln.network.transport.Content;
import io.kiln.network.transport.ListenPort;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.Transport;
import io.kiln.process.NetworkSetup;
import io.kiln.process.ProcessDirectory;
import io.kiln.process.ProcessSecrets;
import io.kiln.process.ScratchDirectories;
import io.kiln.protocol.ContentRequest.FetchResult;
import io.kiln.protocol.DataHolder;
import io.kiln.protocol.DriverQuestion.RegisterExecutor;
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.protocol.ExecutorReport.BlocksChanged;
import io.kiln.protocol.ExecutorReport.Heartbeat;
import io.kiln.storage.LocalStorage;
import io.kiln.storage.remote.BlockServer;
import io.kiln.storage.remote.BroadcastOptions;
import io.kiln.storage.remote.DepartureOptions;
import io.kiln.storage.remote.FetchOptions;
import io.kiln.storage.remote.Peers;
import io.kiln.storage.remote.StorageProtocol;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One executor in a process of its own, from its start to its end.
///
/// It links to the driver, asks what to run for, listens for those who want its data, opens its
/// storage, registers, and runs tasks until the driver says that it is enough or is gone. Each part
/// is made once those are there that it needs, and leaves with the cleanup what is to be done for
/// it at the end.
///
/// @param transport reaches the driver and other executors
record ExecutorProcess(
    ExecutorArguments arguments,
    long incarnation,
    Map<String, String> environment,
    Transport transport,
    Driver driver,
    ProcessEnd end,
    ProcessCleanup cleanup) {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorProcess.class);
  private static final Duration TASKS_END_WITHIN = Duration.ofSeconds(2);

  /// Runs until the end.
  ///
  /// @return the exit code
  /// @throws KilnException if it can't start
  static int run(ExecutorArguments arguments, Map<String, String> environment)
      throws InterruptedException {
    Settings beforehand = Settings.of(new KilnConf()); // what is needed to reach the driver
    Optional<Credentials> credentials = credentials(beforehand);
    long incarnation = System.currentTimeMillis();
    ProcessEnd end = new ProcessEnd();
    try (ProcessCleanup cleanup = new ProcessCleanup()) {
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    end.ending();
                    cleanup.doAll();
                  },
                  "kiln-executor-shutdown"));
      cleanup.add(() -> OwnDirectory.removeIfAbandoned(environment, end));
      Transport transport =
          cleanup.add(
              new Transport(
                  NetworkSetup.options(
                      beforehand,
                      new Peer(
                          ExecutorProtocol.processOf(arguments.executorId()),
                          incarnation,
                          Version.CURRENT),
                      credentials),
                  ExecutorProtocol.codec(StorageProtocol::register),
                  new DriverLinkWatch(arguments.driver(), end)));
      Driver driver =
          new Driver(transport, arguments.driver(), NetworkSetup.askTimeout(beforehand));
      new ExecutorProcess(arguments, incarnation, environment, transport, driver, end, cleanup)
          .start();
      return end.await();
    }
  }

  private static Optional<Credentials> credentials(Settings settings) {
    Optional<String> secret = ProcessSecrets.find(ProcessSecrets.OF_APPLICATION);
    if (secret.isEmpty() && settings.get(NetworkSettings.AUTHENTICATE)) {
      throw new KilnException(
          "SECRET_MISSING",
          KilnException.Kind.USER,
          "the executor can't prove who it is: "
              + ProcessSecrets.OF_APPLICATION
              + " is not among the secrets that it was given");
    }
    return secret.map(text -> Credentials.ofAll(text.getBytes(StandardCharsets.UTF_8)));
  }

  private void start() throws InterruptedException {
    DescribedApplication application = DescribedApplication.askFor(driver);
    Settings settings = application.settings();
    settings.find(ApplicationSettings.LOG_LEVEL).ifPresent(ExecutorLog::setLevel);
    NodeAddress data =
        transport.listen(arguments.hostname(), arguments.hostname(), blockPort(settings));
    ScratchDirectories directories =
        ScratchDirectories.find(
            settings, Optional.ofNullable(environment.get(ExecutorMain.SCRATCH_VARIABLE)));
    Path files = ProcessDirectory.in(directories.roots().getFirst(), "files");
    cleanup.add(() -> FileTree.remove(files));
    LocalStorage storage = storage(application, directories, data);
    RemoteResultEncoder results =
        new RemoteResultEncoder(
            storage::serializer, settings.get(ClusterSettings.MAX_DIRECT_RESULT_SIZE));
    Executor executor = executor(settings, files, storage, results);
    ServedContents served = served(storage, results);
    Decommissioning decommissioning =
        new Decommissioning(arguments.executorId(), incarnation, driver, storage, served);
    transport.addReceiver(
        ExecutorProtocol.EXECUTOR,
        new DriverCommands(
            executor,
            incarnation,
            new Resources(files, driver::open, application.loader()),
            application.classes(),
            driver::fetchStage,
            new Housekeeper(executor, storage, decommissioning, end)));
    transport.addResponder(ExecutorProtocol.EXECUTOR, new ExecutorAnswers(storage));
    transport.serve(served);
    driver.register(
        new RegisterExecutor(
            arguments.executorId(), arguments.hostname(), arguments.cores(), data));
    decommissioning.openToSignals(settings);
    HeartbeatSender _ =
        cleanup.add(
            HeartbeatSender.start(
                settings.get(ClusterSettings.HEARTBEAT_INTERVAL),
                new Heartbeat(arguments.executorId(), incarnation),
                driver::tell));
  }

  /// The setting is for all executors, of which a host may have several: each takes the first that
  /// is free. Nobody goes by it, as the driver tells where each listens.
  private static ListenPort blockPort(Settings settings) {
    return ListenPort.usual(
        settings,
        settings.get(NetworkSettings.BLOCK_MANAGER_PORT),
        NetworkSettings.BLOCK_MANAGER_PORT.key());
  }

  private LocalStorage storage(
      DescribedApplication application, ScratchDirectories directories, NodeAddress data) {
    String id = arguments.executorId();
    Settings settings = application.settings();
    LocalStorage storage =
        cleanup.add(
            LocalStorage.open(
                StorageSetup.options(settings, directories, application.ioKey()),
                application.classes(),
                new Peers(
                    transport,
                    new DataHolder(id, data),
                    driver,
                    (added, removed) -> driver.tell(new BlocksChanged(id, added, removed)),
                    FetchOptions.of(settings),
                    BroadcastOptions.of(settings),
                    DepartureOptions.of(settings))));
    cleanup.add(transport); // before the storage, which others read
    BroadcastReference.resolveBy(
        application.id(),
        broadcast -> new RemoteBroadcast<>(application.id(), broadcast, storage.shared()));
    return storage;
  }

  private Executor executor(
      Settings settings, Path files, LocalStorage storage, RemoteResultEncoder results) {
    Executor executor =
        new Executor(
            new ExecutorSettings(
                arguments.executorId(),
                incarnation,
                arguments.cores(),
                settings.get(ApplicationSettings.MAX_RESULT_SIZE),
                files,
                settings.get(ClusterSettings.HEARTBEAT_INTERVAL),
                ReaperOptions.of(settings)),
            () -> storage,
            results,
            _ -> Optional.empty(),
            ExecutorProcess::endAfter,
            new UpdateSender(driver::tell),
            new ProgressSender(arguments.executorId(), driver::tell));
    cleanup.add(() -> end(executor));
    return executor;
  }

  private static void end(Executor executor) throws InterruptedException {
    executor.close();
    if (!executor.awaitEnd(TASKS_END_WITHIN)) {
      LOG.warn("Tasks still run at the end of the executor");
    }
  }

  private static ServedContents served(LocalStorage storage, RemoteResultEncoder results) {
    BlockServer blocks = storage.server();
    return new ServedContents(
        (peer, request) ->
            request instanceof FetchResult(long taskId)
                ? Content.OfBytes.of(results.take(taskId))
                : blocks.open(peer, request));
  }

  /// Nothing can be trusted to run any more, no hook either.
  private static void endAfter(int exitCode, Throwable error) {
    try {
      System.err.println("the executor ends with code " + exitCode + ": " + error);
    } finally {
      Runtime.getRuntime().halt(exitCode);
    }
  }
}
