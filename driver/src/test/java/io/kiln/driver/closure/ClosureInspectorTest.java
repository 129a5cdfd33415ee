package io.kiln.driver.closure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import acme.Shapes;
import io.kiln.api.HashPartitioner;
import io.kiln.api.IndexedPartition;
import io.kiln.api.KilnException;
import io.kiln.api.StorageLevel;
import io.kiln.api.function.Function;
import io.kiln.base.closure.ClosureSerializer;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClosureInspectorTest {
  private static final String PACKAGE = "acme.";

  static Stream<Arguments> shareable() {
    return Stream.of(
        Arguments.of("text", "text"),
        Arguments.of("boxed", 5),
        Arguments.of("enum", Shapes.Color.RED),
        Arguments.of("enum with a body", Shapes.Color.GREEN),
        Arguments.of("big integer", BigInteger.TEN),
        Arguments.of("big decimal", BigDecimal.ONE),
        Arguments.of("date", LocalDate.EPOCH),
        Arguments.of("zoned time", ZonedDateTime.now(java.time.ZoneOffset.UTC)),
        Arguments.of("duration", Duration.ZERO),
        Arguments.of("uuid", new UUID(1, 2)),
        Arguments.of("uri", URI.create("a:b")),
        Arguments.of("pattern", Pattern.compile("a+")),
        Arguments.of("class", String.class),
        Arguments.of("record", new Shapes.Point(1, 2, "3")),
        Arguments.of("record of a record", new Shapes.Holder(new Shapes.Point(1, 2, "3"))),
        Arguments.of("record of null", new Shapes.Holder(null)),
        Arguments.of("all fields final", new Shapes.AllFinal(1, List.of("a"))),
        Arguments.of("list of", List.of(1, 2, 3)),
        Arguments.of("long list of", List.of(1, 2, 3, 4, 5, 6, 7)),
        Arguments.of("set of", Set.of("a", "b")),
        Arguments.of("map of", Map.of("a", List.of(1))),
        Arguments.of("large map of", Map.of("a", 1, "b", 2, "c", 3)),
        Arguments.of("empty list", Collections.emptyList()),
        Arguments.of("singleton", Collections.singletonMap("a", 1)),
        Arguments.of("copies", Collections.nCopies(3, "a")),
        Arguments.of("optional", Optional.of(new Shapes.Point(1, 2, "3"))),
        Arguments.of("empty optional", Optional.empty()),
        Arguments.of("empty array", new int[0]),
        Arguments.of("empty object array", new Object[0]),
        Arguments.of("lambda", (Function<Integer, Integer>) x -> x + 1),
        Arguments.of("lambda of a lambda", Shapes.capturing(Shapes.capturing(1))),
        Arguments.of("lambda of this", new Shapes.GoodJob().function()),
        Arguments.of("method reference", (Function<String, Integer>) String::length),
        Arguments.of("natural order", Comparator.naturalOrder()),
        Arguments.of("reverse order", Comparator.<Integer>naturalOrder().reversed()),
        Arguments.of(
            "comparator of the JDK around a lambda",
            Comparator.comparing(
                (java.util.function.Function<String, Integer> & Serializable) String::length)),
        Arguments.of("by key", Map.Entry.<String, Integer>comparingByKey()),
        Arguments.of("linked structure", Shapes.Node.chain(100_000)),
        Arguments.of("partitioner", new HashPartitioner(3)),
        Arguments.of("partition", new IndexedPartition(3)),
        Arguments.of("storage level", StorageLevel.MEMORY_ONLY));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shareable")
  void sharesWhatIsKnownToBeImmutable(String name, Object shape) {
    assertThat(ClosureInspector.inspect(shape, "map")).isInstanceOf(Inspection.Shareable.class);
    Object function = Shapes.capturing(shape);
    assertThat(ClosureInspector.inspect(function, "map")).isInstanceOf(Inspection.Shareable.class);
    assertThat(ClosureInspector.check(function, "map")).isTrue();
    assertThat(ClosureSerializer.serialize(function)).isNotEmpty();
  }

  static Stream<Arguments> copied() {
    return Stream.of(
        Arguments.of("mutable list", new ArrayList<>(List.of(1))),
        Arguments.of("array list of arrays", Arrays.asList(1, 2)),
        Arguments.of("mutable map", new HashMap<>(Map.of(1, 2))),
        Arguments.of("tree map", new TreeMap<>(Map.of(1, 2))),
        Arguments.of("view of a mutable list", Collections.unmodifiableList(new ArrayList<>())),
        Arguments.of("immutable list of a mutable list", List.of(new ArrayList<>())),
        Arguments.of("immutable map of an array", Map.of("a", new int[1])),
        Arguments.of("primitive array", new int[] {1}),
        Arguments.of("text array", new String[] {"a"}),
        Arguments.of("object array", new Object[] {1}),
        Arguments.of("optional of an array", Optional.of(new int[1])),
        Arguments.of("record of an array", new Shapes.Holder(new byte[1])),
        Arguments.of("field not final", new Shapes.Counter()),
        Arguments.of("inherited field not final", new Shapes.FinalOverMutable()),
        Arguments.of("final field to a mutable", new Shapes.AllFinal(1, new Shapes.Counter())),
        Arguments.of("transient field", new Shapes.WithTransient()),
        Arguments.of("superclass that isn't written", new Shapes.OverPlainBase()),
        Arguments.of("code of its own when read", new Shapes.WithReadResolve()),
        Arguments.of("code of its own when written", new Shapes.WithWriteObject("a")),
        Arguments.of("externalizable", new Shapes.External()),
        Arguments.of("atomic", new AtomicInteger()),
        Arguments.of("format", new java.text.DecimalFormat("0.0")),
        Arguments.of("atomic reference", new AtomicReference<>("a")),
        Arguments.of("random", new java.util.Random(1)),
        Arguments.of("cycle", Shapes.Ring.of(null)),
        Arguments.of("proxy", proxy(new Handler(1))),
        Arguments.of("lambda of a mutable list", Shapes.capturing(new ArrayList<>())),
        Arguments.of(
            "comparator of the JDK around a capturing lambda",
            Comparator.comparing(
                (java.util.function.Function<Object, Integer> & Serializable)
                    new Shapes.Counter()::equalsCount)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("copied")
  void copiesWhatMayChange(String name, Object shape) {
    Object function = Shapes.capturing(shape);
    assertThat(ClosureInspector.inspect(shape, "map")).isInstanceOf(Inspection.CopyPerTask.class);
    assertThat(ClosureInspector.inspect(function, "map"))
        .isInstanceOf(Inspection.CopyPerTask.class);
    assertThat(ClosureInspector.check(function, "map")).isFalse();
    assertThat(ClosureSerializer.serialize(function)).isNotEmpty();
  }

  @Test
  void anAccumulatorThatNobodyHearsOfIsRefused() {
    assertThat(ClosureInspector.inspect(new CountAccumulator(), "map"))
        .isInstanceOfSatisfying(
            Inspection.NotSerializable.class,
            refused -> assertThat(refused.toString()).contains("register it with the context"));
  }

  @Test
  void saysWhatMayChange() {
    Object function = Shapes.capturing(new Shapes.AllFinal(1, List.of(new ArrayList<>())));

    assertThat(ClosureInspector.inspect(function, "filter"))
        .isEqualTo(
            new Inspection.CopyPerTask(
                "filter's function captures a variable ("
                    + PACKAGE
                    + "Shapes$AllFinal) → field held (java.util.ImmutableCollections$List12) → [0]"
                    + " (java.util.ArrayList)"));
  }

  private static final String ADVICE =
      ": not serializable; make it transient, or create it inside mapPartitions";
  private static final String CONNECTION = "(" + PACKAGE + "Shapes$Connection)" + ADVICE;

  static Stream<Arguments> obstacles() {
    Shapes.Connection connection = new Shapes.Connection();
    String variable = "map's function captures a variable ";
    return Stream.of(
        Arguments.of(
            new Shapes.Job().function(),
            "map's function captures this (class "
                + PACKAGE
                + "Shapes$Job) → field connection "
                + CONNECTION),
        Arguments.of(
            new Shapes.Job().methodReference(),
            "map's function captures the object before :: (class "
                + PACKAGE
                + "Shapes$Job) → field connection "
                + CONNECTION),
        Arguments.of(
            new Shapes.Job().anonymous(),
            "map's function (class "
                + PACKAGE
                + "Shapes$Job$1) → the enclosing this (class "
                + PACKAGE
                + "Shapes$Job) → field connection "
                + CONNECTION),
        Arguments.of(Shapes.capturing(connection), variable + CONNECTION),
        Arguments.of(
            Shapes.capturing(List.of(1, new Object[] {"a", connection})),
            variable
                + "(java.util.ImmutableCollections$List12) → [1] (java.lang.Object[]) → [1] "
                + CONNECTION),
        Arguments.of(
            Shapes.capturing(new LinkedHashMap<>(Map.of("db", connection))),
            variable + "(java.util.LinkedHashMap) → the value of db " + CONNECTION),
        Arguments.of(
            Shapes.capturing(new AtomicReference<>(new Shapes.Holder(connection))),
            variable
                + "(java.util.concurrent.atomic.AtomicReference) → "
                + PACKAGE
                + "Shapes$Holder → field held "
                + CONNECTION),
        Arguments.of(
            Shapes.capturing(new Shapes.WithWriteObject(connection)),
            variable
                + "("
                + PACKAGE
                + "Shapes$WithWriteObject) → "
                + PACKAGE
                + "Shapes$Connection"
                + ADVICE),
        Arguments.of(
            Shapes.capturing(Optional.of(connection)),
            variable + "(java.util.Optional) → its value " + CONNECTION),
        Arguments.of(
            Shapes.capturing(new Shapes.NotSerializableRecord(1)),
            variable + "(" + PACKAGE + "Shapes$NotSerializableRecord)" + ADVICE),
        Arguments.of(
            Shapes.capturing((Runnable) () -> {}),
            variable
                + "(lambda of "
                + ClosureInspectorTest.class.getName()
                + "): not serializable; declare it as one of"
                + " io.kiln.api.function, or as another interface that extends Serializable"),
        Arguments.of(
            Shapes.capturing(new Shapes.OverBaseWithArgument()),
            variable
                + "("
                + PACKAGE
                + "Shapes$OverBaseWithArgument): not serializable: its superclass "
                + PACKAGE
                + "Shapes$BaseWithArgument is neither serializable nor has a constructor without"
                + " arguments"),
        Arguments.of(
            Shapes.capturing(proxy((_, _, _) -> null)),
            variable
                + "("
                + proxy((_, _, _) -> null).getClass().getTypeName()
                + ") → its invocation handler (lambda of "
                + ClosureInspectorTest.class.getName()
                + "): not serializable; declare it as one of"
                + " io.kiln.api.function, or as another interface that extends Serializable"),
        Arguments.of(
            new Shapes.SelfContained().function(),
            "map's function captures this (class "
                + PACKAGE
                + "Shapes$SelfContained) → field function (lambda of "
                + PACKAGE
                + "Shapes$SelfContained): the function is reached again from what it captures, and"
                + " Java serialization can't restore that; copy what it needs into local"
                + " variables"));
  }

  @ParameterizedTest
  @MethodSource("obstacles")
  void namesTheWayToWhatCannotBeSerialized(Object function, String message) {
    assertThatExceptionOfType(KilnException.class)
        .isThrownBy(() -> ClosureInspector.check(function, "map"))
        .withMessage(message)
        .satisfies(
            e -> {
              assertThat(e.code()).isEqualTo("CLOSURE_NOT_SERIALIZABLE");
              assertThat(e.kind()).isEqualTo(KilnException.Kind.USER);
            });
    assertThat(ClosureInspector.inspect(function, "map"))
        .isEqualTo(new Inspection.NotSerializable(message));
  }

  @Test
  void shortensALongWay() {
    Object deep = new Shapes.Connection();
    for (int i = 0; i < 100_000; i++) {
      deep = new Shapes.Holder(deep);
    }
    Object function = Shapes.capturing(deep);

    assertThatExceptionOfType(KilnException.class)
        .isThrownBy(() -> ClosureInspector.check(function, "map"))
        .satisfies(
            e ->
                assertThat(e.getMessage())
                    .contains("→ … 99993 more …")
                    .hasSizeLessThan(800)
                    .endsWith(CONNECTION));
  }

  @Test
  void walksACycleThroughTheCulpritOnce() {
    Object function = Shapes.capturing(Shapes.Ring.of(List.of(new Shapes.Connection())));

    assertThat(ClosureInspector.inspect(function, "map"))
        .isInstanceOf(Inspection.NotSerializable.class);
  }

  private static Object proxy(InvocationHandler handler) {
    return Proxy.newProxyInstance(
        ClosureInspectorTest.class.getClassLoader(), new Class<?>[] {Serializable.class}, handler);
  }

  private record Handler(int answer) implements InvocationHandler, Serializable {
    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return answer;
    }
  }
}
