package io.kiln.node;

import io.kiln.cluster.protocol.FromApplication;
import io.kiln.cluster.protocol.FromClient;
import io.kiln.cluster.protocol.FromWorker;
import io.kiln.cluster.protocol.MasterChanged;
import io.kiln.cluster.protocol.MasterInStandby;
import io.kiln.cluster.protocol.ToApplication;
import io.kiln.cluster.protocol.ToClient;
import io.kiln.cluster.protocol.ToWorker;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.transport.Link;
import java.lang.invoke.MethodHandles;
import java.util.List;

/// The closed registry of what goes between the processes of a standalone cluster. Numbers 300 to
/// 374 are this protocol's, and 385.
public final class ClusterProtocol {

  /// Takes [ListensAt], at every process.
  static final String NODE = "node";

  private ClusterProtocol() {}

  /// Says first by a link where answers go: back through it, for addresses in that process.
  ///
  /// @param process `host:port`, or a name of its own if it can't be connected to
  public static void introduce(Link link, String process) {
    link.send(NODE, new ListensAt(process));
  }

  public static RecordCodec codec() {
    return RecordCodec.builder(MethodHandles.lookup())
        .add(300, ListensAt.class)
        .add(301, MasterChanged.class)
        .add(302, MasterInStandby.class)
        .addAll(
            310,
            List.of(
                FromWorker.RegisterWorker.class,
                FromWorker.WorkerHeartbeat.class,
                FromWorker.ExecutorStateChanged.class,
                FromWorker.DriverStateChanged.class,
                FromWorker.WorkerDecommissioning.class,
                FromWorker.UnregisterWorker.class))
        .addAll(
            320,
            List.of(
                FromApplication.RegisterApplication.class,
                FromApplication.ApplicationHeartbeat.class,
                FromApplication.RequestExecutors.class,
                FromApplication.KillExecutors.class,
                FromApplication.UnregisterApplication.class))
        .addAll(
            330,
            List.of(
                FromClient.RequestSubmitDriver.class,
                FromClient.RequestKillDriver.class,
                FromClient.RequestKillAllDrivers.class,
                FromClient.RequestDriverStatus.class,
                FromClient.RequestKillApplication.class,
                FromClient.RequestClearCompleted.class,
                FromClient.RequestDecommissionWorkers.class,
                FromClient.RequestMasterState.class))
        .addAll(
            340,
            List.of(
                ToWorker.RegisterWorkerFailed.class,
                ToWorker.ReconnectWorker.class,
                ToWorker.HeartbeatSeen.class,
                ToWorker.RegisteredWorker.class,
                ToWorker.LaunchExecutor.class,
                ToWorker.KillExecutor.class,
                ToWorker.LaunchDriver.class,
                ToWorker.KillDriver.class,
                ToWorker.ApplicationFinished.class,
                ToWorker.ExecutorStateKnown.class,
                ToWorker.DriverStateKnown.class,
                ToWorker.DecommissionWorker.class))
        .addAll(
            355,
            List.of(
                ToApplication.RegisterApplicationFailed.class,
                ToApplication.ReconnectApplication.class,
                ToApplication.HeartbeatSeen.class,
                ToApplication.ApplicationRemoved.class,
                ToApplication.RegisteredApplication.class,
                ToApplication.ExecutorAdded.class,
                ToApplication.ExecutorUpdated.class,
                ToApplication.WorkerRemoved.class,
                ToApplication.WaitingForResources.class))
        .add(385, ToApplication.ExecutorDecommissioned.class)
        .addAll(
            365,
            List.of(
                ToClient.SubmitDriverResponse.class,
                ToClient.KillDriverResponse.class,
                ToClient.KillAllDriversResponse.class,
                ToClient.DriverStatusResponse.class,
                ToClient.KillApplicationResponse.class,
                ToClient.ClearCompletedResponse.class,
                ToClient.DecommissionWorkersResponse.class,
                ToClient.MasterStateResponse.class))
        .build();
  }
}
