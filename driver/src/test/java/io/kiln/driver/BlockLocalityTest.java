package io.kiln.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.IndexedPartition;
import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.TaskContext;
import io.kiln.scheduler.dag.StageGraph.Locality;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class BlockLocalityTest {
  private static final KilnContext CONTEXT =
      KilnContext.create(new KilnConf(false).setMaster("local[1]").setAppName("test"));

  @AfterAll
  static void close() {
    CONTEXT.close();
  }

  /// Two partitions, of which the second is cheap to read on a host.
  private static final class Input extends RDD<Integer> {
    private static final long serialVersionUID = 1L;

    Input() {
      super(CONTEXT, List.of());
    }

    @Override
    protected List<Partition> computePartitions() {
      return List.of(new IndexedPartition(0), new IndexedPartition(1));
    }

    @Override
    protected List<String> computePreferredLocations(Partition split) {
      return split.index() == 1 ? List.of("host-1") : List.of();
    }

    @Override
    public Iterator<Integer> compute(Partition split, TaskContext task) {
      throw new AssertionError("nobody computes it");
    }
  }

  @Test
  void nothingIsPreferredWhereNothingIsStoredAndNoInputLiesAnywhere() {
    RDD<Integer> last = CONTEXT.parallelize(List.of(1, 2), 2).map(x -> x + 1);
    assertThat(new BlockLocality((_, _) -> List.of()).of(last)).isSameAs(Locality.ANYWHERE);
  }

  @Test
  void theHostsOfTheInputArePreferredWherePartitionsAreNotStored() {
    Locality locality = new BlockLocality((_, _) -> List.of()).of(new Input().map(x -> x + 1));
    assertThat(locality.preferred(0)).isEmpty();
    assertThat(locality.preferred(1)).containsExactly("host-1");
  }

  @Test
  void theExecutorsThatHaveAStoredPartitionComeBeforeTheHostsOfTheInput() {
    RDD<Integer> input = new Input();
    RDD<Integer> stored = input.map(x -> x + 1).persist();
    Locality locality =
        new BlockLocality(
                (rddId, partition) ->
                    rddId == stored.id() && partition == 1 ? List.of("3", "8") : List.of())
            .of(stored.map(x -> x * 2));
    assertThat(locality.preferred(0)).isEmpty();
    assertThat(locality.preferred(1)).containsExactly("executor:3", "executor:8");
  }

  @Test
  void whatIsStoredOfAnRddThatIsNotPersistedAnyMoreDoesNotCount() {
    RDD<Integer> last = CONTEXT.parallelize(List.of(1, 2), 2).map(x -> x + 1);
    assertThat(new BlockLocality((_, _) -> List.of("3")).of(last)).isSameAs(Locality.ANYWHERE);
  }
}
