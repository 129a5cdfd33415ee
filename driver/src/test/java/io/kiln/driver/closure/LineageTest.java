package io.kiln.driver.closure;

import static org.assertj.core.api.Assertions.assertThat;

import acme.Shapes;
import io.kiln.api.HashPartitioner;
import io.kiln.api.IndexedPartition;
import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.TaskContext;
import io.kiln.api.spi.Engine;
import io.kiln.api.spi.EngineLocator;
import io.kiln.api.spi.EngineProvider;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.closure.ClosureSerializer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the inspector and the serializer say of lineages, which an engine that runs nothing makes.
class LineageTest {
  private static KilnContext context;

  /// Gives out ids and accepts everything.
  public static final class IdleEngine implements EngineProvider {
    @Override
    public Engine start(KilnContext ignored) {
      AtomicInteger ids = new AtomicInteger();
      return (Engine)
          Proxy.newProxyInstance(
              Engine.class.getClassLoader(),
              new Class<?>[] {Engine.class},
              (_, method, _) -> method.getReturnType() == int.class ? ids.incrementAndGet() : null);
    }
  }

  @BeforeAll
  static void makeContext(@TempDir Path directory) throws IOException {
    Path services = Files.writeString(directory.resolve("provider"), IdleEngine.class.getName());
    URL provider = services.toUri().toURL();
    EngineLocator.useClassLoader(
        new ClassLoader(LineageTest.class.getClassLoader()) {
          @Override
          public URL getResource(String name) {
            return name.endsWith(EngineProvider.class.getName())
                ? provider
                : super.getResource(name);
          }
        });
    try {
      context = KilnContext.create(new KilnConf(false).setMaster("local").setAppName("test"));
    } finally {
      EngineLocator.useClassLoader(null);
    }
  }

  /// A user's source.
  private static class Numbers extends RDD<Pair<Integer, Integer>> {
    Numbers() {
      super(LineageTest.context, List.of());
    }

    @Override
    protected List<Partition> computePartitions() {
      return List.of(new IndexedPartition(0), new IndexedPartition(1));
    }

    @Override
    public Iterator<Pair<Integer, Integer>> compute(Partition split, TaskContext task) {
      return List.of(new Pair<>(split.index(), 1)).iterator();
    }
  }

  private static final class CountingNumbers extends Numbers {
    private int computed;

    @Override
    public Iterator<Pair<Integer, Integer>> compute(Partition split, TaskContext task) {
      computed++;
      return List.of(new Pair<>(computed, 1)).iterator();
    }
  }

  private static RDD<Integer> mapped(RDD<Pair<Integer, Integer>> source, int times) {
    RDD<Integer> rdd = source.map(Pair::key);
    for (int i = 1; i < times; i++) {
      rdd = rdd.map(x -> x + 1);
    }
    return rdd;
  }

  @Test
  void sharesALineageOfImmutableFunctions() {
    RDD<Integer> rdd = mapped(new Numbers(), 3).setName("numbers");
    assertThat(rdd.numPartitions()).isEqualTo(2);

    assertThat(ClosureInspector.inspect(rdd, "count")).isEqualTo(new Inspection.Shareable());
  }

  @Test
  void copiesALineageWithAUsersMutableNodeOrFunction() {
    assertThat(ClosureInspector.inspect(mapped(new CountingNumbers(), 2), "count"))
        .isInstanceOf(Inspection.CopyPerTask.class);
    Shapes.Counter counter = new Shapes.Counter();
    assertThat(
            ClosureInspector.inspect(
                mapped(new Numbers(), 2).map(counter::equalsCount).map(x -> x + 1), "count"))
        .isInstanceOf(Inspection.CopyPerTask.class);
  }

  @Test
  void sharesAShuffleAndDoesNotLookAtItsParent() {
    ShuffleDependency<Integer, Integer, Integer> shuffle =
        ShuffleDependency.of(new CountingNumbers(), new HashPartitioner(3));

    assertThat(ClosureInspector.inspect(shuffle, "groupByKey"))
        .isEqualTo(new Inspection.Shareable());
  }

  @Test
  void namesTheWayThroughALineage() {
    Shapes.Connection connection = new Shapes.Connection();
    RDD<Boolean> rdd = mapped(new Numbers(), 1).map(_ -> connection.isOpen());

    assertThat(ClosureInspector.inspect(rdd, "count"))
        .isEqualTo(
            new Inspection.NotSerializable(
                "count's RDD (class io.kiln.api.MapRDD) → field function (lambda of "
                    + "io.kiln.driver.closure.LineageTest) → captures a variable"
                    + " (acme.Shapes$Connection): not serializable; make it"
                    + " transient, or create it inside mapPartitions"));
  }

  @Test
  void writesAndReadsALineageOfTenThousandOperators() {
    RDD<Integer> rdd = mapped(new Numbers(), 10_000);

    assertThat(ClosureInspector.check(rdd, "count")).isTrue();
    byte[] bytes = ClosureSerializer.serialize(rdd);
    RDD<?> copy = (RDD<?>) ClosureSerializer.deserialize(bytes, ApplicationClasses.ofThread());
    assertThat(copy.id()).isEqualTo(rdd.id());
    int depth = 1;
    while (!copy.dependencies().isEmpty()) {
      copy = copy.dependencies().getFirst().parent();
      depth++;
    }
    assertThat(depth).isEqualTo(10_001);
    assertThat(copy).isInstanceOf(Numbers.class);
  }
}
