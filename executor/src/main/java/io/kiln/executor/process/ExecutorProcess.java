package io.kiln.executor.process;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.api.spi.LogControl;
import io.kiln.base.classpath.SharedLoader;
import io.kiln.base.resource.FileTree;
import io.kiln.base.settings.ApplicationSettings;
import io.kiln.base.settings.ClusterSettings;
import io.kiln.base.settings.DependencySettings;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Settings;
import io.kiln.executor.ApplicationClasses;
import io.kiln.executor.BroadcastReference;
import io.kiln.executor.Executor;
import io.kiln.executor.ExecutorSettings;
import io.kiln.executor.ScratchDirectories;
import io.kiln.executor.StorageSetup;
import io.kiln.executor.protocol.ApplicationDescription;
import io.kiln.executor.protocol.ContentRequest.FetchResult;
import io.kiln.executor.protocol.ContentRequest.FetchStage;
import io.kiln.executor.protocol.DriverQuestion;
import io.kiln.executor.protocol.DriverQuestion.FindClass;
import io.kiln.executor.protocol.DriverQuestion.FoundClass;
import io.kiln.executor.protocol.DriverQuestion.Holders;
import io.kiln.executor.protocol.DriverQuestion.LocateBlock;
import io.kiln.executor.protocol.DriverQuestion.LocateMapOutputs;
import io.kiln.executor.protocol.DriverQuestion.LocatePeers;
import io.kiln.executor.protocol.DriverQuestion.RegisterExecutor;
import io.kiln.executor.protocol.ExecutorCommand.DumpThreads;
import io.kiln.executor.protocol.ExecutorCommand.ThreadDump;
import io.kiln.executor.protocol.ExecutorProtocol;
import io.kiln.executor.protocol.ExecutorReport.BlocksChanged;
import io.kiln.executor.protocol.ExecutorReport.Heartbeat;
import io.kiln.executor.protocol.NetworkSetup;
import io.kiln.network.transport.Content;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.Transport;
import io.kiln.scheduler.task.ExecutorExitCode;
import io.kiln.storage.LocalStorage;
import io.kiln.storage.block.BlockId;
import io.kiln.storage.remote.BlockServer;
import io.kiln.storage.remote.BroadcastOptions;
import io.kiln.storage.remote.DataHolder;
import io.kiln.storage.remote.FetchOptions;
import io.kiln.storage.remote.Locations;
import io.kiln.storage.remote.MapOutputLocations;
import io.kiln.storage.remote.Peers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
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
  private static final long SLOT_STACK_BYTES = 16L << 20;
  private static final Duration TASKS_END_WITHIN = Duration.ofSeconds(2);

  private final ExecutorArguments arguments;
  private final long incarnation = System.currentTimeMillis();
  private final CompletableFuture<Integer> end = new CompletableFuture<>();
  private final Transport transport;
  private final Link driver;
  private Settings settings;
  private LocalStorage storage;
  private Executor executor;
  private Path filesDirectory;
  private ScheduledExecutorService heart;
  private boolean closed;

  /// @param beforehand settings that are needed to reach the driver
  private ExecutorProcess(
      ExecutorArguments arguments, Settings beforehand, Optional<byte[]> secret) {
    this.arguments = arguments;
    this.settings = beforehand;
    this.transport =
        new Transport(
            NetworkSetup.options(beforehand, self(arguments), secret),
            ExecutorProtocol.codec(),
            new DriverWatch());
    this.driver = transport.link(arguments.driver());
  }

  private Peer self(ExecutorArguments given) {
    return new Peer(
        ExecutorProtocol.processOf(given.executorId()),
        incarnation,
        ExecutorProcess.class.getPackage().getImplementationVersion() == null
            ? ""
            : ExecutorProcess.class.getPackage().getImplementationVersion());
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
    try (ExecutorProcess process = new ExecutorProcess(arguments, beforehand, secret)) {
      Thread hook = new Thread(process::close, "kiln-executor-shutdown");
      Runtime.getRuntime().addShutdownHook(hook);
      process.start(environment);
      return process.end.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // nobody completes it that way
    }
  }

  private void start(Map<String, String> environment) throws InterruptedException {
    ApplicationDescription application =
        ask(new DriverQuestion.DescribeApplication(), ApplicationDescription.class);
    settings = Settings.of(conf(application));
    ScratchDirectories directories =
        ScratchDirectories.find(settings, Optional.ofNullable(environment.get("SPARK_LOCAL_DIRS")));
    filesDirectory =
        directories
            .roots()
            .getFirst()
            .resolve("kiln-files-" + arguments.applicationId() + "-" + arguments.executorId());

    ClassLoader engine = ExecutorProcess.class.getClassLoader();
    ExecutorClassLoader classes =
        new ExecutorClassLoader(
            application.ownClassPath() ? engine : new SharedLoader(engine),
            settings.get(DependencySettings.EXECUTOR_OWN_FIRST),
            engine,
            this::findClass);
    ExtraClassPath.of(settings.find(ClusterSettings.CLASS_PATH).orElse("")).forEach(classes::add);
    NodeAddress data =
        transport.listen(
            arguments.hostname(),
            arguments.hostname(),
            settings.get(NetworkSettings.BLOCK_MANAGER_PORT));
    storage =
        LocalStorage.open(
            StorageSetup.options(settings, directories, application.ioKey()),
            classes,
            new Peers(
                transport,
                new DataHolder(arguments.executorId(), data),
                new DriverLocations(),
                this::reportBlocks,
                FetchOptions.of(settings),
                BroadcastOptions.of(settings)));
    BroadcastReference.resolveBy(
        application.applicationId(),
        id -> new RemoteBroadcast<>(application.applicationId(), id, storage.shared()));
    RemoteResultEncoder results =
        new RemoteResultEncoder(
            storage::serializer, settings.get(ClusterSettings.MAX_DIRECT_RESULT_SIZE));
    executor =
        new Executor(
            new ExecutorSettings(
                arguments.executorId(),
                incarnation,
                arguments.cores(),
                settings.get(ApplicationSettings.MAX_RESULT_SIZE),
                filesDirectory,
                SLOT_STACK_BYTES),
            () -> storage,
            results,
            _ -> Optional.empty(),
            ExecutorProcess::endAfter,
            new UpdateSender(driver));
    transport.addReceiver(
        ExecutorProtocol.EXECUTOR,
        new Commands(
            executor,
            incarnation,
            new Resources(
                filesDirectory, request -> transport.open(arguments.driver(), request), classes),
            ApplicationClasses.of(classes),
            this::fetchStage,
            new Housekeeper()));
    transport.addResponder(ExecutorProtocol.EXECUTOR, (_, question) -> answer(question));
    BlockServer blocks = storage.server();
    transport.serve(
        (peer, request) ->
            request instanceof FetchResult(long taskId)
                ? kept(results, taskId)
                : blocks.open(peer, request));
    ask(
        new RegisterExecutor(arguments.executorId(), arguments.hostname(), arguments.cores(), data),
        DriverQuestion.Accepted.class);
    beat();
  }

  private static KilnConf conf(ApplicationDescription application) {
    KilnConf conf = new KilnConf(false);
    application.settings().forEach(conf::set);
    return conf;
  }

  private <A> A ask(DriverQuestion question, Class<A> answer) throws InterruptedException {
    try {
      return answer.cast(
          driver
              .ask(ExecutorProtocol.DRIVER, (Record) question, NetworkSetup.askTimeout(settings))
              .get());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KilnException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private byte[] findClass(String resource) throws ClassNotFoundException {
    try {
      return ask(new FindClass(resource), FoundClass.class).bytes();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClassNotFoundException(resource + " (interrupted while asking the driver)", e);
    } catch (KilnException e) {
      throw new ClassNotFoundException(resource + " (" + e.getMessage() + ")", e);
    }
  }

  private byte[] fetchStage(int stageId, int stageAttempt) throws Exception {
    try (InputStream content =
        transport.open(arguments.driver(), new FetchStage(stageId, stageAttempt))) {
      return content.readAllBytes();
    }
  }

  private void reportBlocks(List<BlockId> added, List<BlockId> removed) {
    driver.send(
        ExecutorProtocol.SCHEDULER, new BlocksChanged(arguments.executorId(), added, removed));
  }

  private static Content kept(RemoteResultEncoder results, long taskId) {
    return Content.OfBytes.of(
        results
            .take(taskId)
            .orElseThrow(
                () ->
                    new KilnException(
                        "NO_CONTENT",
                        KilnException.Kind.EXTERNAL,
                        "the result of task " + taskId + " is not kept here")));
  }

  private static Record answer(Record question) {
    if (question instanceof DumpThreads) {
      return new ThreadDump(Stacks.ofAllThreads());
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
        heart.scheduleAtFixedRate(
            () ->
                driver.send(
                    ExecutorProtocol.SCHEDULER, new Heartbeat(arguments.executorId(), incarnation)),
            interval,
            interval,
            TimeUnit.MILLISECONDS);
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
    removeFiles();
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

  private void removeFiles() {
    if (filesDirectory != null) {
      try {
        FileTree.remove(filesDirectory);
      } catch (IOException e) {
        LOG.warn("{} can't be removed: {}", filesDirectory, e.toString());
      }
    }
  }

  /// Asks the driver where data are.
  private final class DriverLocations implements Locations {
    @Override
    public MapOutputLocations mapOutputs(int shuffleId) throws IOException, InterruptedException {
      return located(new LocateMapOutputs(shuffleId), MapOutputLocations.class);
    }

    @Override
    public List<DataHolder> holders(BlockId id) throws IOException, InterruptedException {
      return located(new LocateBlock(id), Holders.class).holders();
    }

    @Override
    public List<DataHolder> peers() throws IOException, InterruptedException {
      return located(new LocatePeers(), Holders.class).holders();
    }

    @Override
    public DataHolder driver() {
      return new DataHolder("driver", arguments.driver());
    }

    private <A> A located(DriverQuestion question, Class<A> answer)
        throws IOException, InterruptedException {
      try {
        return ask(question, answer);
      } catch (KilnException e) {
        throw new IOException(e.getMessage(), e);
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
      ServiceLoader.load(LogControl.class, ExecutorProcess.class.getClassLoader())
          .findFirst()
          .ifPresent(control -> control.setLevel(level));
    }

    @Override
    public void stop(String why) {
      LOG.info("The driver ends this executor: {}", why);
      end.complete(DONE);
    }
  }
}
