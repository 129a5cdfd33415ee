package io.kiln.driver.cluster;

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
import java.util.Optional;

/// Where the data of executors are that can be reached: for executors that ask, and for the driver
/// itself. Thread-safe.
///
/// @param outputs are asked where map outputs are
record FleetLocations(LinkedExecutors executors, OutputQuestions outputs, DataHolder driver)
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
    return reachable(executors.blocks().holders(id));
  }

  /// Those that stay.
  @Override
  public List<DataHolder> peers() {
    List<DataHolder> staying = new ArrayList<>();
    for (RemoteExecutor executor : executors.all()) {
      if (!executor.isLeaving()) {
        staying.add(new DataHolder(executor.id(), executor.data()));
      }
    }
    return staying;
  }

  private List<DataHolder> reachable(Collection<String> executorIds) {
    List<DataHolder> reachable = new ArrayList<>();
    for (String id : executorIds) {
      executors.find(id).ifPresent(executor -> reachable.add(new DataHolder(id, executor.data())));
    }
    return reachable;
  }

  private MapOutputLocations located(List<String> executorIds) {
    Map<String, Integer> indexes = new HashMap<>();
    List<DataHolder> holders = new ArrayList<>();
    int[] holderOfMap = new int[executorIds.size()];
    for (int map = 0; map < holderOfMap.length; map++) {
      Optional<RemoteExecutor> executor = executors.find(executorIds.get(map));
      if (executor.isEmpty()) {
        holderOfMap[map] = MapOutputLocations.NONE;
      } else {
        String id = executor.get().id();
        holderOfMap[map] = indexes.computeIfAbsent(id, _ -> indexes.size());
        if (holderOfMap[map] == holders.size()) {
          holders.add(new DataHolder(id, executor.get().data()));
        }
      }
    }
    return new MapOutputLocations(holders, holderOfMap);
  }
}
