package io.kiln.executor.process;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.api.Version;
import io.kiln.api.spi.LogControl;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.classpath.SharedLoader;
import io.kiln.base.resource.FileTree;
import io.kiln.base.settings.ApplicationSettings;
import io.kiln.base.settings.ClusterSettings;
import io.kiln.base.settings.DependencySettings;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Settings;
import io.kiln.executor.BroadcastReference;
import io.kiln.executor.Executor;
import io.kiln.executor.ExecutorSettings;
import io.kiln.executor.ReaperOptions;
import io.kiln.executor.Stacks;
import io.kiln.executor.StorageSetup;
import io.kiln.network.security.Credentials;
import io.kiln.network.transport.Content;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.ListenPort;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.Transport;
import io.kiln.process.NetworkSetup;
import io.kiln.process.ProcessDirectory;
import io.kiln.process.ScratchDirectories;
import io.kiln.protocol.ApplicationDescription;
import io.kiln.protocol.ContentRequest.FetchResult;
import io.kiln.protocol.DataHolder;
import io.kiln.protocol.DriverQuestion.RegisterExecutor;
import io.kiln.protocol.ExecutorCommand.DropRdd;
import io.kiln.protocol.ExecutorCommand.Dropped;
import io.kiln.protocol.ExecutorCommand.DumpThreads;
import io.kiln.protocol.ExecutorCommand.ThreadDump;
import io.kiln.protocol.ExecutorExitCode;
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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One executor in a process of its own, from its start to its end.
///
/// It links to the driver, asks what to run for, opens its storage, listens for those who want its
/// data, registers, and runs tasks until the driver says that it is enough or is gone.
final class ExecutorProcess implements AutoCloseable {
  static final int DONE = 0;
  static final int FAILED = 1;

  private static final Logger LOG = LoggerFactory.getLogger(ExecutorProcess.class);
  private static final Duration TASKS_END_WITHIN = Duration.ofSeconds(2);

  /// What lies beside executors' own directories.
  private static final Set<String> OF_DRIVER =
      Set.of(ExecutorMain.DRIVER_DIRECTORY, ProcessDirectory.LOCK);

  private final ExecutorArguments arguments;
  private final Map<String, String> environment;
  private final long incarnation = System.currentTimeMillis();
  private final CompletableFuture<Integer> end = new CompletableFuture<>();
  private final Transport transport;
  private final Driver driver;
  private Settings settings;
  private LocalStorage storage;
  private Executor executor;
  private Path filesDirectory;
  private WayOut wayOut;
  private ScheduledExecutorService heart;
  private boolean closed;

  /// @param beforehand settings that are needed to reach the driver
  private ExecutorProcess(
      ExecutorArguments arguments,
      Map<String, String> environment,
      Settings beforehand,
      Optional<byte[]> secret) {
    this.arguments = arguments;
    this.environment = environment;
    this.settings = beforehand;
    Peer self =
        new Peer(ExecutorProtocol.processOf(arguments.executorId()), incarnation, Version.CURRENT);
    this.transport =
        new Transport(
            NetworkSetup.options(beforehand, self, secret.map(Credentials::ofAll)),
            ExecutorProtocol.codec(StorageProtocol::register),
            new DriverWatch());
    this.driver = new Driver(transport, arguments.driver(), NetworkSetup.askTimeout(beforehand));
  }

  /// Runs until the end.
  ///
  /// @return the exit code
  /// @throws KilnException if it can't start
  static int run(ExecutorArguments arguments, Map<String, String> environment)
      throws InterruptedException {
    Settings beforehand = Settings.of(new KilnConf());
    Optional<byte[]> secret =
        Optional.ofNullable(environment.get(ExecutorMain.SECRET_VARIABLE))
            .map(text -> text.getBytes(StandardCharsets.UTF_8));
    if (secret.isEmpty() && beforehand.get(NetworkSettings.AUTHENTICATE)) {
      throw new KilnException(
          "SECRET_MISSING",
          KilnException.Kind.USER,
          "the executor can't prove who it is: "
              + ExecutorMain.SECRET_VARIABLE
              + " is not in its environment");
    }
    try (ExecutorProcess process =
        new ExecutorProcess(arguments, environment, beforehand, secret)) {
      Thread hook = new Thread(process::close, "kiln-executor-shutdown");
      Runtime.getRuntime().addShutdownHook(hook);
      process.start();
      return process.end.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // nobody completes it that way
    }
  }

  /// The setting is for all executors, of which a host may have several: each takes the first that
  /// is free. Nobody goes by it, as the driver tells where each listens.
  private static ListenPort blockPort(Settings settings) {
    return ListenPort.usual(
        settings,
        settings.get(NetworkSettings.BLOCK_MANAGER_PORT),
        NetworkSettings.BLOCK_MANAGER_PORT.key());
  }

  private void start() throws InterruptedException {
    ApplicationDescription application = driver.describeApplication();
    settings = settings(application);
    settings.find(ApplicationSettings.LOG_LEVEL).ifPresent(ExecutorProcess::setLogLevel);
    ExecutorClassLoader loader = loader(application);
    ApplicationClasses classes = ApplicationClasses.of(loader);
    NodeAddress data =
        transport.listen(arguments.hostname(), arguments.hostname(), blockPort(settings));
    openStorage(application, classes, data);
    RemoteResultEncoder results =
        new RemoteResultEncoder(
            storage::serializer, settings.get(ClusterSettings.MAX_DIRECT_RESULT_SIZE));
    executor = executor(results);
    ServedContents served = served(results);
    wayOut = new WayOut(arguments.executorId(), incarnation, driver, storage, served);
    receive(loader, classes);
    transport.serve(served);
    driver.register(
        new RegisterExecutor(
            arguments.executorId(), arguments.hostname(), arguments.cores(), data));
    wayOut.openToSignals(settings);
    beat();
  }

  private static Settings settings(ApplicationDescription application) {
    KilnConf conf = new KilnConf(false);
    application.settings().forEach(conf::set);
    return Settings.of(conf);
  }

  private ExecutorClassLoader loader(ApplicationDescription application) {
    ClassLoader engine = ExecutorProcess.class.getClassLoader();
    ExecutorClassLoader loader =
        new ExecutorClassLoader(
            application.ownClassPath() ? engine : new SharedLoader(engine),
            settings.get(DependencySettings.EXECUTOR_OWN_FIRST),
            engine,
            driver::findClass);
    ExtraClassPath.of(settings.find(ClusterSettings.CLASS_PATH).orElse("")).forEach(loader::add);
    return loader;
  }

  private void openStorage(
      ApplicationDescription application, ApplicationClasses classes, NodeAddress data) {
    ScratchDirectories directories =
        ScratchDirectories.find(
            settings, Optional.ofNullable(environment.get(ExecutorMain.SCRATCH_VARIABLE)));
    filesDirectory = ProcessDirectory.in(directories.roots().getFirst(), "files");
    storage =
        LocalStorage.open(
            StorageSetup.options(settings, directories, application.ioKey()),
            classes,
            new Peers(
                transport,
                new DataHolder(arguments.executorId(), data),
                driver,
                (added, removed) ->
                    driver.tell(new BlocksChanged(arguments.executorId(), added, removed)),
                FetchOptions.of(settings),
                BroadcastOptions.of(settings),
                DepartureOptions.of(settings)));
    BroadcastReference.resolveBy(
        application.applicationId(),
        id -> new RemoteBroadcast<>(application.applicationId(), id, storage.shared()));
  }

  private Executor executor(RemoteResultEncoder results) {
    return new Executor(
        new ExecutorSettings(
            arguments.executorId(),
            incarnation,
            arguments.cores(),
            settings.get(ApplicationSettings.MAX_RESULT_SIZE),
            filesDirectory,
            settings.get(ClusterSettings.HEARTBEAT_INTERVAL),
            ReaperOptions.of(settings)),
        () -> storage,
        results,
        _ -> Optional.empty(),
        ExecutorProcess::endAfter,
        new UpdateSender(driver::tell),
        new ProgressSender(arguments.executorId(), driver::tell));
  }

  private void receive(ExecutorClassLoader loader, ApplicationClasses classes) {
    transport.addReceiver(
        ExecutorProtocol.EXECUTOR,
        new Commands(
            executor,
            incarnation,
            new Resources(filesDirectory, driver::open, loader),
            classes,
            driver::fetchStage,
            new Housekeeper()));
    transport.addResponder(ExecutorProtocol.EXECUTOR, (_, question) -> answer(question));
  }

  private ServedContents served(RemoteResultEncoder results) {
    BlockServer blocks = storage.server();
    return new ServedContents(
        (peer, request) ->
            request instanceof FetchResult(long taskId)
                ? Content.OfBytes.of(results.take(taskId))
                : blocks.open(peer, request));
  }

  private Record answer(Record question) {
    if (question instanceof DumpThreads) {
      return new ThreadDump(Stacks.ofAllThreads());
    }
    if (question instanceof DropRdd(int rddId)) {
      storage.removeRdd(rddId);
      return new Dropped();
    }
    throw new KilnException(
        "NO_ANSWER",
        KilnException.Kind.INTERNAL,
        "an executor answers no " + question.getClass().getSimpleName());
  }

  private void beat() {
    long interval = settings.get(ClusterSettings.HEARTBEAT_INTERVAL).toMillis();
    heart =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("kiln-executor-heart").factory());
    var _ =
        heart.scheduleAtFixedRate(this::tellThatItLives, interval, interval, TimeUnit.MILLISECONDS);
  }

  private void tellThatItLives() {
    try {
      driver.tell(new Heartbeat(arguments.executorId(), incarnation));
    } catch (OutOfMemoryError e) {
      // a task's, which fails; thrown on, it would end the heartbeat too
    } catch (RuntimeException | Error e) { // as above: the next beat may be heard
      LOG.warn("The driver could not be told that this executor lives", e);
    }
  }

  private static void setLogLevel(String level) {
    ServiceLoader.load(LogControl.class, ExecutorProcess.class.getClassLoader())
        .findFirst()
        .ifPresent(control -> control.setLevel(level));
  }

  /// Nothing can be trusted to run any more, no hook either.
  private static void endAfter(int exitCode, Throwable error) {
    try {
      System.err.println("the executor ends with code " + exitCode + ": " + error);
    } finally {
      Runtime.getRuntime().halt(exitCode);
    }
  }

  /// Idempotent.
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (heart != null) {
      heart.shutdownNow();
    }
    if (executor != null) {
      executor.close();
      awaitTasks();
    }
    transport.close();
    if (storage != null) {
      storage.close();
    }
    remove(filesDirectory);
    if (isAbandoned()) {
      removeOwnDirectory();
    }
  }

  /// Whether nobody is left to clean up behind this process.
  private boolean isAbandoned() {
    return end.getNow(DONE) == ExecutorExitCode.DRIVER_LOST
        && environment.containsKey(ExecutorMain.OWN_DIRECTORY_VARIABLE);
  }

  private void removeOwnDirectory() {
    Path own = Path.of(environment.get(ExecutorMain.OWN_DIRECTORY_VARIABLE));
    remove(own);
    String[] others = own.getParent().toFile().list((_, name) -> !OF_DRIVER.contains(name));
    if (others != null && others.length == 0) {
      remove(own.getParent());
    }
  }

  private void awaitTasks() {
    try {
      if (!executor.awaitEnd(TASKS_END_WITHIN)) {
        LOG.warn("Tasks still run at the end of the executor");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the rest is done all the same
    }
  }

  private static void remove(Path tree) {
    if (tree != null) {
      try {
        FileTree.remove(tree);
      } catch (IOException e) {
        LOG.warn("{} can't be removed: {}", tree, e.toString());
      }
    }
  }

  /// Without its driver, an executor has nothing to do.
  private final class DriverWatch implements LinkListener {
    @Override
    public void linkClosed(Link link, String why) {
      if (link.address().equals(arguments.driver()) && !end.isDone()) {
        System.err.println("the executor ends: the driver at " + link + " is gone: " + why);
        end.complete(ExecutorExitCode.DRIVER_LOST);
      }
    }
  }

  private final class Housekeeper implements Commands.Housekeeping {
    @Override
    public void removeRdd(int rddId) {
      Thread.startVirtualThread(() -> storage.removeRdd(rddId));
    }

    @Override
    public void removeShuffle(int shuffleId) {
      Thread.startVirtualThread(() -> storage.removeShuffle(shuffleId));
    }

    @Override
    public void removeBroadcast(long broadcastId) {
      Thread.startVirtualThread(() -> storage.shared().remove(broadcastId));
    }

    @Override
    public void setLogLevel(String level) {
      ExecutorProcess.setLogLevel(level);
    }

    @Override
    public void watchTasks(boolean watched) {
      executor.watch(watched);
    }

    @Override
    public void decommission() {
      wayOut.begin();
    }

    @Override
    public void drained() {
      wayOut.drained();
    }

    @Override
    public void stop(String why) {
      LOG.info("The driver ends this executor: {}", why);
      wayOut.end(() -> end.complete(DONE));
    }
  }
}
