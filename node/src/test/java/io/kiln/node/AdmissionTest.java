package io.kiln.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.Command;
import io.kiln.cluster.protocol.ExecutorRequest;
import io.kiln.cluster.protocol.FromApplication.ApplicationHeartbeat;
import io.kiln.cluster.protocol.FromApplication.KillExecutors;
import io.kiln.cluster.protocol.FromApplication.RegisterApplication;
import io.kiln.cluster.protocol.FromClient.RequestKillAllDrivers;
import io.kiln.cluster.protocol.FromWorker.RegisterWorker;
import io.kiln.cluster.protocol.FromWorker.UnregisterWorker;
import io.kiln.cluster.protocol.FromWorker.WorkerHeartbeat;
import io.kiln.cluster.protocol.MasterInStandby;
import io.kiln.cluster.protocol.Stamp;
import io.kiln.cluster.protocol.ToWorker.DecommissionWorker;
import io.kiln.cluster.protocol.WorkerDescription;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private static final String OWN = "h:1";
  private static final String OTHER = "h:2";

  private static Admission of(String name) {
    Admission admission = new Admission(name, Optional.empty());
    Address _ = admission.introduced(OWN);
    return admission;
  }

  private static Message registerWorker(String process) {
    return new RegisterWorker(
        "w",
        1,
        1,
        new WorkerDescription(new Address(process, "Worker"), "h", 1, 1, 1, ""),
        List.of(),
        List.of());
  }

  private static Message registerApplication(String process, Optional<String> driverId) {
    Command command = new Command("M", List.of(), Map.of(), List.of(), List.of(), List.of());
    ApplicationDescription application =
        new ApplicationDescription(
            "n",
            Optional.empty(),
            Optional.empty(),
            1,
            command,
            Map.of(),
            "u",
            "",
            ApplicationDescription.Share.DEFAULT,
            driverId);
    return new RegisterApplication(
        1,
        1,
        Optional.empty(),
        new Address(process, "AppClient"),
        application,
        ExecutorRequest.first(1));
  }

  private static Message killAll(String process) {
    return new RequestKillAllDrivers(new Address(process, "Client"), "1");
  }

  private static void assertTaken(Admission admission, Role receiver, Message message) {
    assertThatCode(() -> admission.require(receiver, message)).doesNotThrowAnyException();
  }

  private static void assertRefused(Admission admission, Role receiver, Message message) {
    assertThatThrownBy(() -> admission.require(receiver, message))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("may not say " + message.getClass().getSimpleName());
  }

  @Test
  void eachSaysToAMasterWhatBelongsToItsRole() {
    List<Message> messages =
        List.of(
            registerWorker(OWN),
            registerApplication(OWN, Optional.empty()),
            registerApplication(OWN, Optional.of("d")),
            killAll(OWN));
    List<String> names = List.of("worker", "application", "driver/d", "client");
    for (int speaker = 0; speaker < names.size(); speaker++) {
      for (int said = 0; said < messages.size(); said++) {
        if (said == speaker) {
          assertTaken(of(names.get(speaker)), Role.MASTER, messages.get(said));
        } else {
          assertRefused(of(names.get(speaker)), Role.MASTER, messages.get(said));
        }
      }
    }
    for (Message message : messages) {
      assertRefused(of("master"), Role.MASTER, message);
    }
  }

  /// Nothing but the role tells here: these messages name no address.
  @Test
  void aWordWithoutAnAddressIsHeldToTheRoleToo() {
    Message ofWorker = new UnregisterWorker("w", 1, 1);
    Message ofApplication = new KillExecutors(1, 1, "a", List.of(0));
    assertTaken(of("worker"), Role.MASTER, ofWorker);
    for (String name : List.of("application", "driver/d", "client", "master")) {
      assertRefused(of(name), Role.MASTER, ofWorker);
    }
    assertTaken(of("application"), Role.MASTER, ofApplication);
    assertTaken(of("driver/d"), Role.MASTER, ofApplication);
    for (String name : List.of("worker", "client", "master")) {
      assertRefused(of(name), Role.MASTER, ofApplication);
    }
  }

  @Test
  void nobodySpeaksInTheNameOfAnother() {
    assertRefused(of("worker"), Role.MASTER, registerWorker(OTHER));
    assertRefused(
        of("worker"),
        Role.MASTER,
        new WorkerHeartbeat("w", 1, 1, 1, new Address(OTHER, "Worker"), 0, ""));
    assertRefused(of("application"), Role.MASTER, registerApplication(OTHER, Optional.empty()));
    assertRefused(
        of("application"),
        Role.MASTER,
        new ApplicationHeartbeat(
            1, 1, 1, "a", new Address(OTHER, "AppClient"), 0, ExecutorRequest.first(1), List.of()));
    assertRefused(of("driver/d"), Role.MASTER, registerApplication(OWN, Optional.of("other")));
    assertRefused(of("client"), Role.MASTER, killAll(OTHER));
    assertRefused(
        of("client"), Role.MASTER, new RequestKillAllDrivers(new Address(OWN, "Worker"), "1"));
  }

  @Test
  void aLinkHasOneIncarnationAndOneProcess() {
    Admission application = of("application");
    assertTaken(application, Role.MASTER, registerApplication(OWN, Optional.empty()));
    assertRefused(application, Role.MASTER, new KillExecutors(2, 1, "other", List.of(0)));
    Admission worker = of("worker");
    assertTaken(worker, Role.MASTER, registerWorker(OWN));
    assertRefused(worker, Role.MASTER, new UnregisterWorker("w", 2, 1));

    assertThat(worker.introduced(OWN)).isEqualTo(new Address(OWN, "Worker"));
    assertThatThrownBy(() -> worker.introduced(OTHER)).hasMessageContaining(OTHER);
    assertThatThrownBy(() -> new Admission("executor-1", Optional.empty()).introduced(OWN))
        .hasMessageContaining("executor-1 is no process");
  }

  @Test
  void workersAndApplicationsListenToMastersAlone() {
    Message order = new DecommissionWorker(new Stamp(1, 1, 1));
    Message standby = new MasterInStandby(1, "");
    assertTaken(of("master"), Role.WORKER, order);
    assertTaken(of("master"), Role.APPLICATION, standby);
    for (String name : List.of("worker", "application", "driver/d", "client", "executor-1")) {
      Admission other = new Admission(name, Optional.empty());
      assertRefused(other, Role.WORKER, order);
      assertRefused(other, Role.APPLICATION, standby);
    }
  }
}
