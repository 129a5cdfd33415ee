package io.kiln.programs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.Partitioner;
import io.kiln.api.RDD;
import io.kiln.api.TaskContext;
import io.kiln.api.function.Function;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Keys are found equal whichever process they come from.
@Timeout(120)
class KeysAcrossProcessesTest {
  private static final int RECORDS = 160;

  @TempDir private static Path scratch;
  private static KilnContext context;

  enum Color {
    RED,
    GREEN,
    BLUE,
    CYAN,
    PINK,
    GREY,
    GOLD,
    TEAL {
      @Override
      public String toString() {
        return "teal"; // a class of its own
      }
    }
  }

  record Paint(Color color, int coats) {}

  record Wrapped(Object content) {}

  /// Hashes by what is another where it is read than where it was written, as an identity is in
  /// another process.
  static final class Opaque implements Serializable {
    private static final long serialVersionUID = 1L;
    private final Color color;

    Opaque(Color color) {
      this.color = color;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Opaque that && that.color == color;
    }

    @Override
    public int hashCode() {
      return Objects.hash(color.name(), TaskContext.current().orElseThrow().stageId());
    }
  }

  static final class Bare implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /// Asks no key for its hash code.
  static final class OneForAll extends Partitioner {
    private static final long serialVersionUID = 1L;

    @Override
    public int numPartitions() {
      return 1;
    }

    @Override
    public int partition(Object key) {
      return 0;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof OneForAll;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  @BeforeAll
  static void open() {
    context = KilnContext.create(Clusters.conf("local-cluster[2,1,256]", scratch));
    Clusters.executors(context, 8);
  }

  @AfterAll
  static void close() {
    context.close();
  }

  private static Color color(int i) {
    return Color.values()[i % Color.values().length];
  }

  /// In as many processes as there are; identities differ between these.
  private static <K> RDD<K> keys(Function<Integer, K> key) {
    return context
        .parallelize(IntStream.range(0, RECORDS).boxed().toList(), 8)
        .mapPartitions(
            numbers -> {
              for (long i = ProcessHandle.current().pid() % 101; i > 0; i--) {
                int _ = System.identityHashCode(new Object());
              }
              for (Color color : Color.values()) {
                int _ = color.hashCode();
              }
              long begin = System.nanoTime();
              while (System.nanoTime() - begin < 20_000_000) {
                Thread.onSpinWait(); // leaves partitions to the other process
              }
              return numbers;
            })
        .map(key);
  }

  private static <K> PairRDD<K, Integer> ones(Function<Integer, K> key) {
    return keys(key).mapToPair(k -> Pair.of(k, 1));
  }

  private static <K> void assertFoundEqual(Function<Integer, K> key) {
    assertThat(ones(key).reduceByKey(Integer::sum, 7).values().collect())
        .hasSize(Color.values().length)
        .containsOnly(RECORDS / Color.values().length);
  }

  @Test
  void enumsWhereverTheyAreHeld() {
    assertFoundEqual(i -> color(i));
    assertFoundEqual(i -> new Paint(color(i), 2));
    assertFoundEqual(i -> new Wrapped(List.of(new Paint(color(i), 1))));
    assertFoundEqual(i -> Pair.of(color(i), "a"));
    assertFoundEqual(i -> List.of(color(i), "a"));
    assertFoundEqual(i -> new HashSet<>(List.of(color(i), "a")));
    assertFoundEqual(i -> EnumSet.of(color(i)));
    assertFoundEqual(i -> new EnumMap<>(Map.of(color(i), 1)));
    assertFoundEqual(i -> Map.of("a", Set.of(color(i))));
    assertFoundEqual(i -> new java.util.AbstractMap.SimpleEntry<>("a", color(i)));
    assertFoundEqual(i -> Optional.of(color(i)));
  }

  @Test
  void everyOperationThatFindsEqualKeys() {
    int colors = Color.values().length;
    assertThat(keys(i -> color(i)).distinct(5).collect()).containsExactlyInAnyOrder(Color.values());
    assertThat(keys(i -> color(i)).countByValue()).hasSize(colors).containsValue(20L);
    assertThat(keys(i -> new Paint(color(i), 1)).countApproxDistinct(0.01)).isEqualTo(colors);
    assertThat(ones(i -> color(i)).groupByKey(5).collect()).hasSize(colors);
    assertThat(ones(i -> color(i)).cogroup(ones(i -> color(i)), 5).collect()).hasSize(colors);
    assertThat(ones(i -> color(i)).subtractByKey(ones(i -> color(i)), 5).collect()).isEmpty();
    assertThat(keys(i -> color(i)).intersection(keys(i -> color(i)), 5).collect()).hasSize(colors);
    PairRDD<Color, Integer> sums = ones(i -> color(i)).reduceByKey(Integer::sum, 5);
    for (Color color : Color.values()) {
      assertThat(sums.lookup(color)).containsExactly(RECORDS / colors); // placed here and there
    }
    assertThat(sums.join(ones(i -> color(i))).count()).isEqualTo(RECORDS);
  }

  @Test
  void whatOnlyHasAnIdentityIsRefused() {
    String why = "which has no hashCode of its own";
    assertThatThrownBy(() -> ones(_ -> new Bare()).reduceByKey(Integer::sum).collect())
        .hasMessageContaining(why);
    assertThatThrownBy(
            () -> ones(_ -> new Bare()).reduceByKey(new OneForAll(), Integer::sum).collect())
        .hasMessageContaining(why);
    assertThatThrownBy(() -> keys(_ -> new Wrapped(new Bare())).distinct().collect())
        .hasMessageContaining(why);
    assertThatThrownBy(() -> keys(_ -> new Bare()).countByValue()).hasMessageContaining(why);
    assertThatThrownBy(() -> ones(_ -> new Bare()).reduceByKeyLocally(Integer::sum))
        .hasMessageContaining(why);
  }

  @Test
  void hashCodesThatVaryAreFoundWhereTheyAreRead() {
    assertThatThrownBy(() -> ones(i -> new Opaque(color(i))).reduceByKey(Integer::sum, 7).collect())
        .hasMessageContaining("another hash code in this process")
        .hasMessageContaining("hash enums by name()");
  }
}
