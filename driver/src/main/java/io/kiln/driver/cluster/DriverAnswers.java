package io.kiln.driver.cluster;

import io.kiln.base.settings.PrivateSettings;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.Responder;
import io.kiln.protocol.BlockId;
import io.kiln.protocol.DriverQuestion;
import io.kiln.protocol.DriverQuestion.Accepted;
import io.kiln.protocol.DriverQuestion.DescribeApplication;
import io.kiln.protocol.DriverQuestion.FindClass;
import io.kiln.protocol.DriverQuestion.FoundClass;
import io.kiln.protocol.DriverQuestion.Holders;
import io.kiln.protocol.DriverQuestion.LocateBlock;
import io.kiln.protocol.DriverQuestion.LocateMapOutputs;
import io.kiln.protocol.DriverQuestion.LocatePeers;
import io.kiln.protocol.DriverQuestion.MoveOutputs;
import io.kiln.protocol.DriverQuestion.RegisterExecutor;
import io.kiln.protocol.ExecutorSetup;
import io.kiln.protocol.MapOutputLocations;
import java.io.IOException;
import java.io.InputStream;

/// Answers what executors ask the driver. May block. Thread-safe.
///
/// @param standing what an executor is told that comes
record DriverAnswers(
    Application application,
    LinkedExecutors executors,
    FleetLocations locations,
    StandingCommands standing)
    implements Responder {
  private static final byte[] NO_CLASS = new byte[0];

  @Override
  public Record answer(Link from, Record question) throws IOException {
    return switch ((DriverQuestion) question) {
      case DescribeApplication _ -> describe();
      case RegisterExecutor register -> {
        executors.register(from, register, standing);
        yield new Accepted();
      }
      case FindClass(String resource) -> new FoundClass(find(resource));
      case LocateMapOutputs(int shuffleId) -> locations.mapOutputs(shuffleId);
      case LocateBlock(BlockId id) -> new Holders(locations.holders(id));
      case LocatePeers _ -> new Holders(locations.peers());
      case MoveOutputs moved -> moved(from, moved);
    };
  }

  private ExecutorSetup describe() {
    return new ExecutorSetup(
        application.id(),
        PrivateSettings.without(application.settings().texts()),
        application.ownClassPath(),
        application.ioKey());
  }

  private MapOutputLocations moved(Link from, MoveOutputs moved) {
    RemoteExecutor executor =
        executors
            .find(moved.executorId())
            .filter(known -> known.link() == from)
            .orElseThrow(
                () ->
                    LinkedExecutors.refused(
                        "executor "
                            + moved.executorId()
                            + " is not here to say where its outputs are"));
    return locations.moved(executor.id(), moved);
  }

  private byte[] find(String resource) throws IOException {
    try (InputStream found = application.classes().context().getResourceAsStream(resource)) {
      return found == null ? NO_CLASS : found.readAllBytes();
    }
  }
}
