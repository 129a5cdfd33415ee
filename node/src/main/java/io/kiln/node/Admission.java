package io.kiln.node;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.cluster.protocol.FromApplication;
import io.kiln.cluster.protocol.FromClient;
import io.kiln.cluster.protocol.FromWorker;
import io.kiln.cluster.protocol.ToMaster;
import java.util.Optional;
import java.util.OptionalLong;

/// Who is at the other end of one link, and what it may say: what belongs to the role that it has
/// proved, and only in its own name. Used by one thread at a time.
///
/// It has one name, one process and one incarnation, as long as the link lives. Incarnations are
/// random and told to nobody else, so that of another can't be taken from a new link either.
final class Admission {
  private final String name;
  private final Optional<RoleName> role;
  private Optional<String> process;
  private OptionalLong incarnation = OptionalLong.empty();

  /// @param name as which it introduced itself; proved, if there are keys
  /// @param process where it listens; empty until it says so
  Admission(String name, Optional<String> process) {
    this.name = name;
    this.role = RoleName.of(name);
    this.process = process;
  }

  /// It says where it listens.
  ///
  /// @return where answers to it go
  /// @throws IllegalArgumentException if it has said something else before
  Address introduced(String where) {
    RoleName known =
        role.orElseThrow(
            () -> new IllegalArgumentException(name + " is no process of a standalone cluster"));
    if (process.isPresent() && !process.get().equals(where)) {
      throw new IllegalArgumentException(
          name + " is at " + process.get() + ", and says now that it is at " + where);
    }
    process = Optional.of(where);
    return new Address(where, known.machine());
  }

  /// @param receiver what this process is
  /// @throws IllegalArgumentException if the other side may not say so
  void require(Role receiver, Message message) {
    boolean allowed =
        receiver == Role.MASTER
            ? message instanceof ToMaster said && isOfItsRole(said)
            : role.equals(Optional.of(RoleName.MASTER));
    if (!allowed) {
      throw refused(message, "which is not for its role");
    }
    if (message instanceof ToMaster said) {
      requireOwn(said);
    }
  }

  private boolean isOfItsRole(ToMaster said) {
    return role.isPresent()
        && switch (role.get()) {
          case MASTER -> false;
          case WORKER -> said instanceof FromWorker;
          case APPLICATION, DRIVER -> said instanceof FromApplication;
          case CLIENT -> said instanceof FromClient;
        };
  }

  private void requireOwn(ToMaster said) {
    switch (said) {
      case FromWorker worker -> {
        requireIncarnation(worker, worker.incarnation());
        if (worker instanceof FromWorker.RegisterWorker register) {
          requireProcess(register, register.worker().address());
        } else if (worker instanceof FromWorker.WorkerHeartbeat heartbeat) {
          requireProcess(heartbeat, heartbeat.address());
        }
      }
      case FromApplication application -> {
        requireIncarnation(application, application.incarnation());
        switch (application) {
          case FromApplication.RegisterApplication register -> {
            requireProcess(register, register.address());
            requireDriver(register);
          }
          case FromApplication.ApplicationHeartbeat heartbeat ->
              requireProcess(heartbeat, heartbeat.address());
          case FromApplication.UnregisterApplication unregister ->
              requireProcess(unregister, unregister.address());
          case FromApplication.RequestExecutors _, FromApplication.KillExecutors _ -> {}
        }
      }
      case FromClient client -> requireProcess(client, client.replyTo());
    }
  }

  private void requireIncarnation(Message message, long said) {
    if (incarnation.isPresent() && incarnation.getAsLong() != said) {
      throw refused(message, "in the name of another");
    }
    incarnation = OptionalLong.of(said);
  }

  private void requireProcess(Message message, Address said) {
    boolean own =
        process.filter(said.process()::equals).isPresent()
            && said.name().equals(role.orElseThrow().machine());
    if (!own) {
      throw refused(message, "for answers at " + said);
    }
  }

  private void requireDriver(FromApplication.RegisterApplication register) {
    String driver = register.application().driverId().orElse("");
    boolean own =
        role.equals(Optional.of(RoleName.DRIVER))
            ? name.equals(RoleName.DRIVER.prefix() + driver)
            : driver.isEmpty();
    if (!own) {
      throw refused(register, "as driver '" + driver + "'");
    }
  }

  private IllegalArgumentException refused(Message message, String why) {
    return new IllegalArgumentException(
        name
            + process.map(at -> " at " + at).orElse("")
            + " may not say "
            + message.getClass().getSimpleName()
            + " "
            + why);
  }
}
