package io.kiln.driver.cluster;

import io.kiln.protocol.ExecutorCommand;
import io.kiln.protocol.ExecutorCommand.SetLogLevel;
import io.kiln.protocol.ExecutorCommand.UseResources;
import io.kiln.protocol.ExecutorCommand.WatchTasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What holds for every executor, whenever it comes. Thread-safe.
final class StandingCommands {
  private final Application.Resources resources;
  private volatile Optional<SetLogLevel> logLevel = Optional.empty();
  private volatile Optional<WatchTasks> watching = Optional.empty();

  StandingCommands(Application.Resources resources) {
    this.resources = resources;
  }

  void logLevel(SetLogLevel command) {
    logLevel = Optional.of(command);
  }

  void watching(WatchTasks command) {
    watching = Optional.of(command);
  }

  /// As of now.
  List<ExecutorCommand> all() {
    List<ExecutorCommand> commands = new ArrayList<>();
    commands.add(new UseResources(resources.all()));
    logLevel.ifPresent(commands::add);
    watching.ifPresent(commands::add);
    return commands;
  }
}
