package io.kiln.simulation.scheduler;

import io.kiln.scheduler.dag.StageGraph;
import io.kiln.scheduler.dag.StageGraph.Inputs;
import io.kiln.scheduler.dag.StageGraph.Locality;
import io.kiln.scheduler.dag.StageGraph.Stage;
import io.kiln.simulation.scheduler.SimulatedStage.PersistedInput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Map stages that read earlier ones, some by way of RDDs that may be persisted; and the plans that
/// a driver makes of them, given what it believes to be stored.
final class RandomLineage {
  private static final int MOST_PARTITIONS = 12;

  /// A stage, however it is planned.
  ///
  /// @param reads shuffles
  /// @param over an RDD whose partitions it reads, one each
  record Node(
      int stageId,
      int shuffleId,
      int numPartitions,
      List<Integer> reads,
      Optional<PersistedRdd> over,
      Locality locality,
      boolean indeterminate) {}

  private final RandomGenerator random;
  private final StoredBlocks blocks;
  private final boolean withLocality;
  private final boolean chanceIsStored;
  private final List<Node> maps = new ArrayList<>();
  private final List<PersistedRdd> rdds = new ArrayList<>();
  private final Set<Integer> persisted = new HashSet<>();
  private int nextStageId;

  /// @param chanceIsStored whether what differs each time that it is computed may be behind what is
  ///     stored
  RandomLineage(
      RandomGenerator random, StoredBlocks blocks, boolean withLocality, boolean chanceIsStored) {
    this.random = random;
    this.blocks = blocks;
    this.withLocality = withLocality;
    this.chanceIsStored = chanceIsStored;
    int shuffles = 1 + random.nextInt(6);
    for (int shuffleId = 0; shuffleId < shuffles; shuffleId++) {
      maps.add(node(shuffleId));
      if (random.nextInt(2) == 0) {
        addRdd();
      }
    }
  }

  private void addRdd() {
    Set<Integer> behind = new TreeSet<>(someShuffles());
    behind.add(random.nextInt(maps.size()));
    PersistedRdd rdd =
        new PersistedRdd(
            rdds.size(),
            1 + random.nextInt(MOST_PARTITIONS),
            behind.stream().filter(id -> chanceIsStored || !maps.get(id).indeterminate()).toList(),
            1 + random.nextInt(2),
            random.nextBoolean());
    rdds.add(rdd);
    persisted.add(rdd.id());
  }

  int numMaps(int shuffleId) {
    return maps.get(shuffleId).numPartitions();
  }

  int numShuffles() {
    return maps.size();
  }

  /// One that ends a job.
  Node result() {
    return node(StageGraph.NO_SHUFFLE);
  }

  /// One that ends a job and reads every shuffle.
  Node readerOfAll() {
    return node(
        StageGraph.NO_SHUFFLE,
        1,
        IntStream.range(0, maps.size()).boxed().toList(),
        Optional.empty());
  }

  private Node node(int shuffleId) {
    Optional<PersistedRdd> over =
        rdds.isEmpty() || random.nextInt(2) == 0
            ? Optional.empty()
            : Optional.of(rdds.get(random.nextInt(rdds.size())));
    int partitions =
        over.map(PersistedRdd::numPartitions).orElseGet(() -> random.nextInt(MOST_PARTITIONS));
    return node(
        shuffleId,
        partitions,
        over.isPresent() && random.nextBoolean() ? List.of() : someShuffles(),
        over);
  }

  private Node node(
      int shuffleId, int numPartitions, List<Integer> reads, Optional<PersistedRdd> over) {
    boolean readsChance =
        reads.stream().anyMatch(id -> maps.get(id).indeterminate())
            || over.stream()
                .flatMap(rdd -> rdd.behind().stream())
                .anyMatch(id -> maps.get(id).indeterminate());
    return new Node(
        nextStageId++,
        shuffleId,
        numPartitions,
        reads,
        over,
        withLocality && random.nextBoolean() ? new Preferences() : Locality.ANYWHERE,
        shuffleId != StageGraph.NO_SHUFFLE && (random.nextInt(4) == 0 || readsChance));
  }

  private List<Integer> someShuffles() {
    return IntStream.range(0, maps.size()).filter(_ -> random.nextInt(3) == 0).boxed().toList();
  }

  /// The user persists an RDD, or takes that back.
  void changeWhatIsPersisted() {
    if (!rdds.isEmpty()) {
      int id = rdds.get(random.nextInt(rdds.size())).id();
      if (!persisted.add(id)) {
        persisted.remove(id);
        blocks.remove(id);
      }
    }
  }

  // plans

  /// @param missed shuffles that are not to be spared
  StageGraph plan(Node result, Set<Integer> missed) {
    Map<Integer, Boolean> believed = new HashMap<>();
    TreeMap<Integer, Stage> stages = new TreeMap<>(); // who reads has the greater id
    Stage last = planned(result, missed, believed);
    TreeSet<Integer> open = new TreeSet<>(last.inputs().needed());
    while (!open.isEmpty()) {
      int shuffleId = open.pollLast();
      Stage stage = planned(maps.get(shuffleId), missed, believed);
      stages.put(shuffleId, stage);
      open.addAll(stage.inputs().needed());
    }
    List<Stage> all = new ArrayList<>(stages.values());
    all.add(last);
    return new StageGraph(all);
  }

  private Stage planned(Node node, Set<Integer> missed, Map<Integer, Boolean> believed) {
    Optional<PersistedRdd> stored = node.over().filter(rdd -> persisted.contains(rdd.id()));
    boolean sparing =
        stored.isPresent()
            && believed.computeIfAbsent(stored.get().id(), _ -> believesStored(stored.get()));
    TreeSet<Integer> needed = new TreeSet<>(node.reads());
    List<Integer> behind = node.over().map(PersistedRdd::behind).orElse(List.of());
    behind.stream().filter(id -> !sparing || missed.contains(id)).forEach(needed::add);
    List<Integer> spared = behind.stream().filter(id -> !needed.contains(id)).toList();
    List<Integer> reads = new ArrayList<>(node.reads());
    if (stored.isEmpty()) {
      reads.addAll(behind);
    }
    return new Stage(
        node.stageId(),
        node.shuffleId(),
        node.numPartitions(),
        new Inputs(
            List.copyOf(needed), spared, stored.map(rdd -> List.of(rdd.id())).orElse(List.of())),
        "stage " + node.stageId(),
        new SimulatedStage(
            node.stageId(),
            node.shuffleId(),
            inputs(reads),
            stored.map(rdd -> new PersistedInput(rdd, inputs(behind))),
            needed,
            node.indeterminate()),
        node.locality(),
        node.indeterminate());
  }

  /// As of now, or of some time ago.
  private boolean believesStored(PersistedRdd rdd) {
    return random.nextInt(3) == 0 ? blocks.heldAllOnce(rdd) : blocks.holdsAll(rdd);
  }

  private List<SimulatedStage.Input> inputs(List<Integer> shuffleIds) {
    return shuffleIds.stream()
        .map(id -> new SimulatedStage.Input(id, maps.get(id).numPartitions()))
        .toList();
  }

  /// Executors, hosts, nobody, and places that do not exist.
  private record Preferences() implements Locality {
    @Override
    public List<String> preferred(int partition) {
      return switch (partition % 4) {
        case 0 -> List.of("executor:" + partition % 3);
        case 1 -> List.of("host-" + partition % 5, "host-0");
        case 2 -> List.of();
        default -> List.of("executor:gone");
      };
    }
  }
}
