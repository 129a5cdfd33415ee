package io.kiln.executor.process;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Message;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Transport;
import io.kiln.protocol.BlockId;
import io.kiln.protocol.ContentRequest;
import io.kiln.protocol.ContentRequest.FetchStage;
import io.kiln.protocol.DataHolder;
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
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.protocol.ExecutorSetup;
import io.kiln.protocol.MapOutputLocations;
import io.kiln.storage.remote.Locations;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;

/// The driver as an executor's process asks and tells it. Thread-safe.
final class Driver implements Locations {
  private final Transport transport;
  private final Link link;
  private final Duration askTimeout;

  Driver(Transport transport, NodeAddress address, Duration askTimeout) {
    this.transport = transport;
    this.link = transport.link(address);
    this.askTimeout = askTimeout;
  }

  /// @throws KilnException if it doesn't answer
  ExecutorSetup describeApplication() throws InterruptedException {
    return ask(new DescribeApplication(), ExecutorSetup.class);
  }

  /// @throws KilnException if it doesn't want the executor
  void register(RegisterExecutor executor) throws InterruptedException {
    ask(executor, Accepted.class);
  }

  /// Sends a report, or what became of tasks.
  void tell(Message message) {
    link.send(ExecutorProtocol.SCHEDULER, message);
  }

  InputStream open(ContentRequest request) throws IOException, InterruptedException {
    return transport.open(link.address(), (Record) request);
  }

  byte[] fetchStage(int stageId, int stageAttempt) throws IOException, InterruptedException {
    try (InputStream content = open(new FetchStage(stageId, stageAttempt))) {
      return content.readAllBytes();
    }
  }

  /// @return empty if it has no such class
  byte[] findClass(String resource) throws ClassNotFoundException {
    try {
      return ask(new FindClass(resource), FoundClass.class).bytes();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClassNotFoundException(resource + " (interrupted while asking the driver)", e);
    } catch (KilnException e) {
      throw new ClassNotFoundException(resource + " (" + e.getMessage() + ")", e);
    }
  }

  @Override
  public MapOutputLocations mapOutputs(int shuffleId) throws IOException, InterruptedException {
    return located(new LocateMapOutputs(shuffleId), MapOutputLocations.class);
  }

  /// Says that another has copies of map outputs of an executor.
  MapOutputLocations moved(String executorId, int shuffleId, int[] mapPartitions, DataHolder to)
      throws IOException, InterruptedException {
    return located(
        new MoveOutputs(executorId, to.executorId(), shuffleId, mapPartitions),
        MapOutputLocations.class);
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
    return new DataHolder(ExecutorProtocol.DRIVER, link.address());
  }

  private <A> A located(DriverQuestion question, Class<A> answer)
      throws IOException, InterruptedException {
    try {
      return ask(question, answer);
    } catch (KilnException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private <A> A ask(DriverQuestion question, Class<A> answer) throws InterruptedException {
    try {
      return answer.cast(link.ask(ExecutorProtocol.DRIVER, (Record) question, askTimeout).get());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KilnException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
