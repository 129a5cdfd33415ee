package io.kiln.driver.cluster;

import io.kiln.network.transport.NodeAddress;
import io.kiln.protocol.BlockId;
import io.kiln.protocol.DataHolder;
import io.kiln.protocol.DriverQuestion.MoveOutputs;
import io.kiln.protocol.MapOutputLocations;
import io.kiln.storage.remote.Locations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Where the data of executors are that can be reached: for executors that ask, and for the driver
/// itself. Thread-safe.
///
/// @param executors that are linked, by id
/// @param driverAddress where the driver listens
record FleetLocations(
    Map<String, RemoteExecutor> executors,
    BlockDirectory blocks,
    OutputQuestions outputs,
    Supplier<NodeAddress> driverAddress)
    implements Locations {

  @Override
  public MapOutputLocations mapOutputs(int shuffleId) {
    return located(outputs.locate(shuffleId));
  }

  /// As [#mapOutputs], once other copies count than those of the executor.
  MapOutputLocations moved(String executorId, MoveOutputs moved) {
    return located(outputs.move(moved.shuffleId(), moved.mapPartitions(), executorId, moved.to()));
  }

  @Override
  public List<DataHolder> holders(BlockId id) {
    return reachable(blocks.holders(id));
  }

  /// Those that stay.
  @Override
  public List<DataHolder> peers() {
    List<DataHolder> staying = new ArrayList<>();
    for (RemoteExecutor executor : executors.values()) {
      if (!executor.isLeaving()) {
        staying.add(new DataHolder(executor.id(), executor.data()));
      }
    }
    return staying;
  }

  @Override
  public DataHolder driver() {
    return new DataHolder(ExecutorFleet.DRIVER, driverAddress.get());
  }

  private List<DataHolder> reachable(Collection<String> executorIds) {
    List<DataHolder> reachable = new ArrayList<>();
    for (String id : executorIds) {
      RemoteExecutor executor = executors.get(id);
      if (executor != null) {
        reachable.add(new DataHolder(id, executor.data()));
      }
    }
    return reachable;
  }

  private MapOutputLocations located(List<String> executorIds) {
    Map<String, Integer> indexes = new HashMap<>();
    List<DataHolder> holders = new ArrayList<>();
    int[] holderOfMap = new int[executorIds.size()];
    for (int map = 0; map < holderOfMap.length; map++) {
      RemoteExecutor executor = executors.get(executorIds.get(map));
      if (executor == null) {
        holderOfMap[map] = MapOutputLocations.NONE;
      } else {
        holderOfMap[map] = indexes.computeIfAbsent(executor.id(), _ -> indexes.size());
        if (holderOfMap[map] == holders.size()) {
          holders.add(new DataHolder(executor.id(), executor.data()));
        }
      }
    }
    return new MapOutputLocations(holders, holderOfMap);
  }
}
