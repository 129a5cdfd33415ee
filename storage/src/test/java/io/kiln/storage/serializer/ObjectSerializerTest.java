package io.kiln.storage.serializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.classpath.SharedLoader;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@SuppressWarnings({"JavaUtilDate", "JdkObsolete"}) // users have such values
class ObjectSerializerTest {
  @Example
  void noMoreIsWrittenThanIsAllowed() {
    for (SerializerChoice choice : SerializerChoice.values()) {
      ObjectSerializer serializer = serializer(choice);
      for (Object value : List.of(List.of("one", "two", new byte[10_000]), Optional.of("x"))) {
        int needed = serializer.toBytes(value).length;
        assertThat(serializer.toBytes(value, needed + 16)).hasSize(needed); // room for one number
        assertThatThrownBy(() -> serializer.toBytes(value, needed - 1))
            .as("%s by %s", value, choice)
            .isInstanceOf(SizeLimitExceeded.class);
      }
    }
  }

  record Point(int x, Long y, String name, List<Double> weights) implements Serializable {}

  record Unmarked(Optional<String> text, int[] numbers) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Unmarked that
          && text.equals(that.text)
          && Arrays.equals(numbers, that.numbers);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  record Resolved(int value) implements Serializable {
    private Object readResolve() {
      return new Resolved(value + 1);
    }
  }

  static class Plain {
    private final int number;
    private final String text;
    private final Map<String, List<Plain>> children = new HashMap<>();
    private transient int cache = 7;

    Plain(int number, String text) {
      this.number = number;
      this.text = text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Plain that
          && number == that.number
          && Objects.equals(text, that.text)
          && children.equals(that.children);
    }

    @Override
    public int hashCode() {
      return number + cache - cache;
    }
  }

  /// Its serial form is its own.
  static final class Counted implements Serializable {
    private static final long serialVersionUID = 1L;
    private transient int count = 1;

    private void writeObject(java.io.ObjectOutputStream out) throws java.io.IOException {
      out.defaultWriteObject();
      out.writeInt(count);
    }

    private void readObject(java.io.ObjectInputStream in)
        throws java.io.IOException, ClassNotFoundException {
      in.defaultReadObject();
      count = in.readInt() + 1;
    }
  }

  static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1L;
    private final String owner;

    Names(String owner) {
      this.owner = owner;
    }
  }

  static final class Node {
    private Node next;
    private final List<Node> all = new ArrayList<>();
  }

  private static ObjectSerializer serializer(SerializerChoice choice) {
    return new ObjectSerializer(choice, hidden());
  }

  /// As an application's: its loader finds none of the engine's classes, as which those of this
  /// test count.
  private static ApplicationClasses hidden() {
    return ApplicationClasses.of(
        SharedLoader.ofInstallation(ObjectSerializerTest.class.getClassLoader()));
  }

  private static List<Object> oddities() {
    Names names = new Names("me");
    names.add("x");
    Plain plain = new Plain(3, "ü\uD800");
    plain.children.put("a", new ArrayList<>(List.of(new Plain(1, null))));
    EnumMap<TimeUnit, Integer> enumMap = new EnumMap<>(TimeUnit.class);
    enumMap.put(TimeUnit.DAYS, 1);
    return Stream.of(
            true,
            (byte) -3,
            (short) -300,
            'é',
            '\uD800',
            0,
            Integer.MIN_VALUE,
            0L,
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            1L << 41,
            (1L << 41) - 1,
            -(1L << 41),
            -(1L << 41) - 1,
            31L,
            32L,
            -32L,
            -33L,
            1.5f,
            Float.NaN,
            -0.0d,
            Double.MIN_VALUE,
            "",
            "plain",
            "ÿ",
            "Ā",
            "日本\uD83D\uDE00",
            "\uD800",
            "x".repeat(70_000),
            "日".repeat(40_000),
            new BigInteger("-123456789012345678901"),
            BigInteger.ZERO,
            new BigDecimal("1.500"),
            new BigDecimal("1E+40"),
            UUID.randomUUID(),
            Instant.MIN,
            Instant.ofEpochSecond(-1, 999_999_999),
            LocalDate.MAX,
            LocalTime.MAX,
            LocalDateTime.MIN,
            Duration.ofNanos(-1),
            Period.ofDays(3),
            ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 6, ZoneId.of("Europe/Berlin")),
            TimeUnit.HOURS,
            new Date(5),
            URI.create("http://a/b"),
            Locale.GERMANY,
            new Pair<>(1, null),
            new Pair<>(null, new Pair<>("k", 2L)),
            Optional.empty(),
            Optional.of(List.of(1)),
            List.of(),
            List.of(1),
            List.of(1, "b", 3L),
            Stream.of(1, 2, 3).toList(),
            Stream.of(1, null, 3).toList(),
            Stream.of(1).toList(),
            Arrays.asList("a", null, "c"),
            new ArrayList<>(List.of(1, 2)),
            new ArrayList<>(List.of(1, 2, 3)).subList(1, 3),
            new LinkedList<>(List.of("a", "b")),
            Collections.unmodifiableList(new ArrayList<>(List.of(1))),
            Collections.emptyList(),
            Collections.singletonList(4),
            Collections.nCopies(3, "z"),
            new CopyOnWriteArrayList<>(List.of(1)),
            Set.of(),
            Set.of(1),
            Set.of(1, 2, 3),
            new HashSet<>(Arrays.asList(1, null)),
            new LinkedHashSet<>(List.of(3, 1, 2)),
            new TreeSet<>(List.of(3, 1)),
            EnumSet.of(TimeUnit.DAYS),
            Map.of(),
            Map.of(1, 2),
            Map.of("a", List.of(1), "b", List.of(2)),
            new HashMap<>(Map.of("k", new int[0].length)),
            new LinkedHashMap<>(Map.of(1, 2)),
            new TreeMap<>(Map.of("b", 1, "a", 2)),
            new TreeMap<>(Map.of(1, 1)).descendingMap(),
            new ConcurrentHashMap<>(Map.of(1, 1)),
            enumMap,
            Collections.synchronizedMap(new HashMap<>(Map.of(1, 2))),
            BitSet.valueOf(new long[] {5}),
            new Point(1, 2L, "p", List.of(0.5)),
            new Point(0, null, null, null),
            new Unmarked(Optional.of("t"), new int[] {1, -1}),
            plain,
            names,
            String.class)
        .toList();
  }

  @ParameterizedTest
  @EnumSource(SerializerChoice.class)
  void oddValuesComeBackEqualAndOfTheSameClass(SerializerChoice choice) {
    ObjectSerializer serializer = serializer(choice);
    for (Object value : oddities()) {
      boolean javaCant =
          value instanceof Unmarked
              || value instanceof Plain
              || value.getClass().getName().endsWith("SubList");
      if (choice == SerializerChoice.JAVA && javaCant) {
        assertThatThrownBy(() -> serializer.toBytes(value))
            .isInstanceOfSatisfying(
                KilnException.class, e -> assertThat(e.code()).isEqualTo("NOT_SERIALIZABLE"));
        continue;
      }
      Object back = serializer.fromBytes(serializer.toBytes(value));
      assertThat(back).as(value.getClass().getName()).isEqualTo(value);
      assertThat(back.getClass()).isSameAs(value.getClass());
    }
  }

  @ParameterizedTest
  @EnumSource(SerializerChoice.class)
  void valuesWithoutEqualityComeBackAlike(SerializerChoice choice) {
    ObjectSerializer serializer = serializer(choice);
    for (Object array :
        List.of(
            new byte[] {1, -1},
            new short[] {1},
            new char[] {'x'},
            new int[] {1, -70_000},
            new long[] {1L << 50},
            new float[] {1f},
            new double[] {2d},
            new boolean[] {true, false},
            new Object[] {1, "a", null},
            new String[] {"a", null},
            new int[][] {{1}, {2, 3}},
            new Integer[0],
            new int[70_000])) {
      Object back = serializer.fromBytes(serializer.toBytes(array));
      assertThat(back.getClass()).isSameAs(array.getClass());
      assertThat(Objects.deepEquals(back, array)).isTrue();
    }
    assertThat(back(serializer, new AtomicInteger(5)).get()).isEqualTo(5);
    assertThat(back(serializer, Pattern.compile("a+")).pattern()).isEqualTo("a+");
    assertThat(back(serializer, new StringBuilder("abc")).toString()).isEqualTo("abc");
    ArrayDeque<Integer> deque = back(serializer, new ArrayDeque<>(List.of(1, 2)));
    assertThat(List.copyOf(deque)).containsExactly(1, 2);
    PriorityQueue<Integer> queue =
        new PriorityQueue<>((Comparator<Integer> & Serializable) (a, b) -> b.compareTo(a));
    queue.addAll(List.of(1, 3, 2));
    assertThat(back(serializer, queue).peek()).isEqualTo(3);
    TreeMap<String, Integer> reversed = new TreeMap<>(Comparator.reverseOrder());
    reversed.putAll(Map.of("a", 1, "b", 2));
    assertThat(back(serializer, reversed).firstKey()).isEqualTo("b");
    assertThat(back(serializer, new IllegalStateException("why")).getMessage()).isEqualTo("why");
    Supplier<String> lambda = (Supplier<String> & Serializable) () -> "said";
    assertThat(back(serializer, lambda).get()).isEqualTo("said");
    assertThat(back(serializer, new Counted()).count).isEqualTo(2);
    assertThat(back(serializer, new Resolved(1)).value).isEqualTo(2);
    LinkedHashMap<Integer, Integer> recent = new LinkedHashMap<>(16, 0.75f, true);
    recent.putAll(Map.of(1, 1, 2, 2));
    LinkedHashMap<Integer, Integer> recentBack = back(serializer, recent);
    int first = recentBack.keySet().iterator().next();
    assertThat(recentBack.get(first)).isEqualTo(first);
    assertThat(recentBack.keySet().iterator().next()).isNotEqualTo(first);
    Names names = new Names("me");
    assertThat(back(serializer, names).owner).isEqualTo("me");
  }

  @ParameterizedTest
  @EnumSource(names = {"KILN", "KRYO"})
  void cyclesAndSharedObjectsStayWhatTheyAre(SerializerChoice choice) {
    ObjectSerializer serializer = serializer(choice);
    List<Object> itself = new ArrayList<>();
    itself.add("x");
    itself.add(itself);
    List<Object> itselfBack = back(serializer, itself);
    assertThat(itselfBack.get(1)).isSameAs(itselfBack);
    Node node = new Node();
    node.next = node;
    node.all.add(node);
    Node nodeBack = back(serializer, node);
    assertThat(nodeBack.next).isSameAs(nodeBack);
    assertThat(nodeBack.all.getFirst()).isSameAs(nodeBack);
    Pair<?, ?> pair = back(serializer, new Pair<>(1, itself));
    assertThat(((List<?>) pair.value()).get(1)).isSameAs(pair.value());
  }

  @ParameterizedTest
  @EnumSource(SerializerChoice.class)
  void whatCanNotBeWrittenIsSaidInOneLine(SerializerChoice choice) {
    Object thread = new Pair<>(1, List.of(new Thread(() -> {})));
    assertThatThrownBy(() -> serializer(choice).toBytes(thread))
        .isInstanceOfSatisfying(
            KilnException.class,
            e -> {
              assertThat(e.code()).isEqualTo("NOT_SERIALIZABLE");
              assertThat(e.getMessage()).contains("java.lang.Thread").doesNotContain("\n");
            });
  }

  @SuppressWarnings("unchecked") // a round trip keeps the class
  private static <T> T back(ObjectSerializer serializer, T value) {
    return (T) serializer.fromBytes(serializer.toBytes(value));
  }

  @Property(tries = 300)
  void streamsOfMixedRecordsComeBackInOrder(
      @ForAll("records") List<Object> records, @ForAll SerializerChoice choice) throws Exception {
    ObjectSerializer serializer = serializer(choice);
    ByteWriter bytes = new ByteWriter(16);
    ObjectWriter writer = new ObjectWriter(bytes, serializer);
    for (int i = 0; i < records.size(); i++) {
      if (i == records.size() / 2) {
        writer = new ObjectWriter(bytes, serializer);
      }
      writer.write(records.get(i));
    }
    ObjectReader reader = new ObjectReader(new ByteReader(bytes.toByteArray()), serializer);
    List<Object> back = new ArrayList<>();
    while (reader.hasNext()) {
      back.add(reader.read());
    }
    assertThat(back).isEqualTo(records);
  }

  @Provide
  Arbitrary<List<Object>> records() {
    Arbitrary<Object> leaf =
        Arbitraries.oneOf(
            Arbitraries.just(null),
            Arbitraries.integers().asGeneric(),
            Arbitraries.longs().asGeneric(),
            Arbitraries.strings().ofMaxLength(12).asGeneric(),
            Arbitraries.of(TimeUnit.class).asGeneric(),
            Arbitraries.doubles().asGeneric());
    Arbitrary<Object> value =
        Arbitraries.oneOf(
            leaf,
            leaf.list().ofMaxSize(4).map(ArrayList::new).asGeneric(),
            Arbitraries.integers()
                .map(number -> new Point(number, 1L * number, "n" + number, List.of()))
                .asGeneric());
    Arbitrary<Object> pair =
        value.flatMap(key -> value.map(other -> (Object) new Pair<>(key, other)));
    return Arbitraries.oneOf(value, pair, pair).list().ofMaxSize(40);
  }
}
