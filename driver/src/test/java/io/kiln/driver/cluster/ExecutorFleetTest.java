package io.kiln.driver.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.settings.Settings;
import io.kiln.protocol.BlockId.RddBlock;
import io.kiln.protocol.ContentRequest.FetchResource;
import io.kiln.protocol.DataHolder;
import io.kiln.protocol.DriverQuestion.Accepted;
import io.kiln.protocol.DriverQuestion.DescribeApplication;
import io.kiln.protocol.DriverQuestion.Holders;
import io.kiln.protocol.DriverQuestion.LocateBlock;
import io.kiln.protocol.ExecutorCommand.DropRdd;
import io.kiln.protocol.ExecutorCommand.Dropped;
import io.kiln.protocol.ExecutorCommand.SetLogLevel;
import io.kiln.protocol.ExecutorCommand.Stop;
import io.kiln.protocol.ExecutorCommand.UseResources;
import io.kiln.protocol.ExecutorCommand.WatchTasks;
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.protocol.ExecutorReport.BlocksChanged;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.ExecutorSetup;
import io.kiln.protocol.SharedResource;
import io.kiln.protocol.SharedResource.Kind;
import io.kiln.protocol.TaskUpdate.Returned;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorRegistered;
import io.kiln.scheduler.allocation.AllocationMessage.LinkLost;
import io.kiln.scheduler.task.TaskMessage.TasksUpdated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The driver's side of its executors, with real connections and machines that only listen.
@Timeout(60)
class ExecutorFleetTest {
  private static final RddBlock BLOCK = new RddBlock(3, 0);

  private final Settings settings =
      Settings.of(
          FakeExecutor.settings()
              .set("spark.authenticate.secret", "the driver's own")
              .set("spark.ssl.rpc.keyStorePassword", "the driver's own"));
  private final FakeMachines machines = new FakeMachines();
  private final DriverPort port =
      DriverPort.take(settings, Optional.empty(), "localhost", machines);

  /// The one file that the application has brought.
  @TempDir private Path directory;

  @AfterEach
  void close() {
    port.close();
  }

  private DriverPort port() {
    return DriverPort.take(settings, Optional.empty(), "localhost", new FakeMachines());
  }

  private void askOnceAt(DriverPort other) throws Exception {
    ExecutorFleet _ = fleet("app-8", other);
    try (FakeExecutor executor = new FakeExecutor("1", other.address())) {
      Record _ = executor.ask(new DescribeApplication()).get();
    }
  }

  private ExecutorFleet fleet(String applicationId) {
    return fleet(applicationId, port);
  }

  private ExecutorFleet fleet(String applicationId, DriverPort at) {
    Application.Resources resources =
        new Application.Resources() {
          @Override
          public List<SharedResource> all() {
            return List.of(new SharedResource(0, Kind.FILE, "words", "words", "", false));
          }

          @Override
          public Optional<Path> file(int id) {
            return id == 0 ? Optional.of(directory.resolve("words")) : Optional.empty();
          }
        };
    Application application =
        new Application(
            applicationId,
            settings,
            ApplicationClasses.of(getClass().getClassLoader()),
            true,
            Optional.empty(),
            resources);
    ExecutorFleet fleet =
        new ExecutorFleet(
            application,
            at,
            () -> {
              throw new AssertionError("nobody asks for the driver's blocks");
            },
            machines,
            (_, _) -> {});
    fleet.accept();
    return fleet;
  }

  private FakeExecutor executor(String id) {
    return new FakeExecutor(id, port.address());
  }

  private FakeExecutor registered(String id, int slots) throws Exception {
    FakeExecutor executor = executor(id);
    assertThat(executor.register(id, slots).get()).isEqualTo(new Accepted());
    return executor;
  }

  private static void refuses(CompletableFuture<Record> answer, String why) {
    assertThatThrownBy(answer::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            KilnException.class, e -> assertThat(e.code()).isEqualTo("EXECUTOR_REFUSED"))
        .hasMessageContaining(why);
  }

  @Test
  void anExecutorThatComesBeforeTheApplicationHasItsIdIsToldItAllTheSame() throws Exception {
    try (FakeExecutor early = executor("1");
        DriverPort another = port()) {
      CompletableFuture<Record> answer = early.ask(new DescribeApplication());
      askOnceAt(another); // which takes as long as the early one would need to be heard too soon
      ExecutorFleet _ = fleet("app-7");

      assertThat(((ExecutorSetup) answer.get()).applicationId()).isEqualTo("app-7");
    }
  }

  @Test
  void anExecutorIsToldTheSettingsButNoneThatIsTheDriversOwn() throws Exception {
    ExecutorFleet _ = fleet("app-7");
    try (FakeExecutor executor = executor("1")) {
      ExecutorSetup setup = (ExecutorSetup) executor.ask(new DescribeApplication()).get();

      assertThat(setup.settings())
          .containsEntry("spark.authenticate", "false")
          .doesNotContainValue("the driver's own");
    }
  }

  @Test
  void anExecutorThatComesLateLearnsWhatWasSaidToAll() throws Exception {
    ExecutorFleet fleet = fleet("app-7");
    fleet.setLogLevel("DEBUG");
    fleet.watchTasks(true);
    try (FakeExecutor executor = registered("1", 4)) {
      assertThat(((UseResources) executor.commands.take()).resources())
          .extracting(SharedResource::name)
          .containsExactly("words");
      assertThat(executor.commands.take()).isEqualTo(new SetLogLevel("DEBUG"));
      assertThat(executor.commands.take()).isEqualTo(new WatchTasks(true));
      ExecutorRegistered known = (ExecutorRegistered) machines.allocation.take();
      assertThat(known.executorId()).isEqualTo("1");
      assertThat(known.incarnation()).isEqualTo(FakeExecutor.INCARNATION);
      assertThat(known.slots()).isEqualTo(4);
      assertThat(machines.edges).containsKey(known.address());
    }
  }

  @Test
  void refusesASecondExecutorOfOneIdAndOneThatIsNotWhoItSays() throws Exception {
    ExecutorFleet _ = fleet("app-7");
    try (FakeExecutor _ = registered("1", 1);
        FakeExecutor twin = executor("1");
        FakeExecutor impostor = executor("2")) {
      refuses(twin.register("1", 1), "there is an executor 1 already");
      refuses(impostor.register("3", 1), "introduced itself as");
    }
  }

  @Test
  void forgetsWhatAnExecutorHadOnceItsLinkIsClosed() throws Exception {
    ExecutorFleet fleet = fleet("app-7");
    try (FakeExecutor other = registered("2", 1)) {
      FakeExecutor executor = registered("1", 1);
      executor.tell(new BlocksChanged("1", List.of(BLOCK), List.of()));
      assertThat(executor.ask(new LocateBlock(BLOCK)).get())
          .isEqualTo(new Holders(List.of(new DataHolder("1", FakeExecutor.DATA))));
      assertThat(fleet.holders(3, 0)).containsExactly("1");
      assertThat(machines.allocation.take()).isInstanceOf(ExecutorRegistered.class);
      assertThat(machines.allocation.take()).isInstanceOf(ExecutorRegistered.class);

      executor.close();

      LinkLost lost = (LinkLost) machines.allocation.take();
      assertThat(lost.executorId()).isEqualTo("1");
      assertThat(lost.incarnation()).isEqualTo(FakeExecutor.INCARNATION);
      assertThat(fleet.holders(3, 0)).isEmpty();
      assertThat(machines.edges).hasSize(2); // the other's, and that of questions for outputs
      assertThat(other.ask(new LocateBlock(BLOCK)).get()).isEqualTo(new Holders(List.of()));
    }
  }

  @Test
  void whatAStrangerReportsCountsForNothing() throws Exception {
    ExecutorFleet fleet = fleet("app-7");
    try (FakeExecutor stranger = executor("9");
        FakeExecutor known = registered("1", 1)) {
      stranger.tell(new BlocksChanged("9", List.of(BLOCK), List.of()));
      stranger.tell(updates("9", 1));
      assertThat(stranger.ask(new LocateBlock(BLOCK)).get()).isEqualTo(new Holders(List.of()));
      known.tell(updates("1", 2));

      assertThat(machines.tasks.take()).isEqualTo(new TasksUpdated(updates("1", 2)));
      assertThat(fleet.holders(3, 0)).isEmpty();
    }
  }

  private static TaskUpdates updates(String executorId, long taskId) {
    return new TaskUpdates(executorId, FakeExecutor.INCARNATION, List.of(new Returned(taskId)));
  }

  @Test
  void anRddIsGoneOnceEachExecutorHasRemovedIt() throws Exception {
    ExecutorFleet fleet = fleet("app-7");
    try (FakeExecutor executor = registered("1", 1)) {
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch removed = new CountDownLatch(1);
      executor.transport.addResponder(
          ExecutorProtocol.EXECUTOR,
          (_, question) -> {
            assertThat(question).isEqualTo(new DropRdd(3));
            asked.countDown();
            removed.await();
            return new Dropped();
          });
      executor.tell(new BlocksChanged("1", List.of(BLOCK), List.of()));
      Record _ = executor.ask(new LocateBlock(BLOCK)).get(); // the driver knows by now

      CompletableFuture<Void> done = CompletableFuture.runAsync(() -> fleet.removeRddNow(3));
      asked.await();

      assertThat(fleet.holders(3, 0)).isEmpty();
      assertThat(done).isNotDone();
      removed.countDown();
      done.get();
    }
  }

  @Test
  void onceTheApplicationEndsExecutorsAreToldAndNoMoreAreTakenIn() throws Exception {
    ExecutorFleet fleet = fleet("app-7");
    try (FakeExecutor executor = registered("1", 1);
        FakeExecutor late = executor("2")) {
      assertThat(executor.commands.take()).isInstanceOf(UseResources.class);
      fleet.end();

      assertThat(executor.commands.take()).isInstanceOf(Stop.class);
      refuses(late.register("2", 1), "the application is ending");
    }
  }

  @Test
  void servesWhatTheApplicationHasBroughtAsLongAsItIsThere() throws Exception {
    Path words = Files.writeString(directory.resolve("words"), "to be");
    ExecutorFleet _ = fleet("app-7");
    try (FakeExecutor executor = registered("1", 1)) {
      assertThat(executor.fetch(new FetchResource(0))).asString().isEqualTo("to be");
      fails(executor, 1, "NO_CONTENT");
      Files.delete(words);
      fails(executor, 0, "RESOURCE_VANISHED");
    }
  }

  private static void fails(FakeExecutor executor, int resource, String code) {
    assertThatThrownBy(() -> executor.fetch(new FetchResource(resource)))
        .isInstanceOfSatisfying(KilnException.class, e -> assertThat(e.code()).isEqualTo(code))
        .isNotInstanceOf(IOException.class);
  }
}
