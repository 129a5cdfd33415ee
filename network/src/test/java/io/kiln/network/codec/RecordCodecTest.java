package io.kiln.network.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.invoke.MethodHandles;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordCodecTest {
  private enum Colour {
    RED,
    GREEN
  }

  private sealed interface Shape {}

  private record Circle(double radius) implements Shape {}

  private record Group(List<Shape> shapes) implements Shape {}

  private record Nothing() implements Shape {}

  private record Everything(
      boolean flag,
      byte small,
      int number,
      long large,
      double fraction,
      float smaller,
      char letter,
      String text,
      Colour colour,
      Optional<String> maybe,
      List<Long> numbers,
      Set<String> names,
      Map<String, Integer> ages,
      Shape shape) {}

  private record Times(Duration duration, Instant instant, UUID id, URI uri) {}

  private record Ids(long[] ids, int[] partitions, byte[] bytes, double[] doubles) {}

  private record Positive(int value) {
    Positive {
      if (value < 1) {
        throw new IllegalArgumentException(value + " is not positive");
      }
    }
  }

  private record Chain(Optional<Chain> next) {}

  private record Empties(List<Nothing> nothings) {}

  private record Unknown(Thread thread) {}

  static final RecordCodec CODEC = builder().build();

  private static RecordCodec.Builder builder() {
    return RecordCodec.builder(MethodHandles.lookup())
        .add(1, Circle.class)
        .add(2, Group.class)
        .add(3, Nothing.class)
        .add(4, Everything.class)
        .add(5, Times.class)
        .add(6, Ids.class)
        .add(7, Positive.class)
        .add(8, Chain.class)
        .add(9, Empties.class);
  }

  private static byte[] bytes(Object value) {
    WireWriter out = new WireWriter(0);
    CODEC.write(value, out);
    return out.toByteArray();
  }

  private static Object read(byte[] bytes) {
    WireReader in = CODEC.reader(bytes, 0, bytes.length);
    Object value = CODEC.read(in);
    in.requireEnd();
    return value;
  }

  @Provide
  Arbitrary<Shape> shapes() {
    return Arbitraries.lazyOf(
        () -> Arbitraries.doubles().map(Circle::new),
        () -> Arbitraries.of(new Nothing()),
        () -> shapes().list().ofMaxSize(3).map(Group::new));
  }

  /// The codec's own limit has a test of its own.
  private static int depth(Shape shape) {
    return shape instanceof Group(List<Shape> members)
        ? 1 + members.stream().mapToInt(RecordCodecTest::depth).max().orElse(0)
        : 1;
  }

  @Provide
  Arbitrary<Everything> everything() {
    return Combinators.combine(
            Arbitraries.longs(),
            Arbitraries.strings().ofMaxLength(50),
            Arbitraries.of(Colour.class),
            Arbitraries.strings().optional(),
            Arbitraries.longs().list().ofMaxSize(20),
            Arbitraries.strings().set().ofMaxSize(5),
            Arbitraries.maps(Arbitraries.strings(), Arbitraries.integers()).ofMaxSize(5),
            shapes().filter(shape -> depth(shape) < 20))
        .as(
            (number, text, colour, maybe, numbers, names, ages, shape) ->
                new Everything(
                    number % 2 == 0,
                    (byte) (long) number,
                    (int) (long) number,
                    number,
                    Double.longBitsToDouble(number),
                    (float) number,
                    (char) (long) number,
                    text,
                    colour,
                    maybe,
                    numbers,
                    names,
                    ages,
                    shape));
  }

  @Property(tries = 500)
  void whatIsWrittenIsRead(@ForAll("everything") Everything value) {
    assertThat(read(bytes(value))).isEqualTo(value);
  }

  @Test
  void timesAndNames() {
    Times times =
        new Times(
            Duration.ofNanos(-1),
            Instant.ofEpochSecond(-5, 999_999_999),
            new UUID(-1, 5),
            URI.create("file:/a%20b"));
    assertThat(read(bytes(times))).isEqualTo(times);
  }

  @Test
  void arrays() {
    Ids ids =
        new Ids(
            new long[] {Long.MIN_VALUE, 7, 8, 9, Long.MAX_VALUE},
            new int[] {Integer.MIN_VALUE, 0, Integer.MAX_VALUE},
            new byte[] {-1, 0},
            new double[] {Double.NaN, -0.0});
    Ids got = (Ids) read(bytes(ids));
    assertThat(got.ids()).containsExactly(ids.ids());
    assertThat(got.partitions()).containsExactly(ids.partitions());
    assertThat(got.bytes()).containsExactly(ids.bytes());
    assertThat(got.doubles()).containsExactly(ids.doubles());
    long[] row = new long[100];
    Arrays.setAll(row, i -> 1_000_000_000_000L + i);
    assertThat(bytes(new Ids(row, new int[0], new byte[0], new double[0]))).hasSizeLessThan(115);
  }

  @Test
  void valuesThatTakeNoByteAreCountedAllTheSame() {
    Empties empties = new Empties(List.of(new Nothing(), new Nothing(), new Nothing()));
    assertThat(read(bytes(empties))).isEqualTo(empties);
    WireWriter out = new WireWriter(0);
    out.writeUnsigned(9);
    out.writeUnsigned(1_000_000_000);
    assertThatThrownBy(() -> read(out.toByteArray()))
        .isInstanceOf(WireFormatException.class)
        .hasMessageContaining("1000000000 elements");
  }

  @Test
  void depthIsBounded() {
    Chain chain = new Chain(Optional.empty());
    for (int i = 0; i < 10; i++) {
      chain = new Chain(Optional.of(chain));
    }
    assertThat(read(bytes(chain))).isEqualTo(chain);
    byte[] deep = new byte[1_000_000];
    Arrays.fill(deep, (byte) 1);
    deep[0] = 8;
    assertThatThrownBy(() -> read(deep))
        .isInstanceOf(WireFormatException.class)
        .hasMessageContaining("deeper than");
  }

  @Test
  void whatARecordRefusesIsRefused() {
    byte[] bytes = bytes(new Positive(5));
    bytes[bytes.length - 1] = 0;
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOf(WireFormatException.class)
        .hasMessageContaining("not positive");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 1000, -1})
  void unknownTypesAreRefused(int id) {
    WireWriter out = new WireWriter(0);
    out.writeUnsigned(id);
    assertThatThrownBy(() -> read(out.toByteArray()))
        .isInstanceOf(WireFormatException.class)
        .hasMessageContaining("no message type");
  }

  /// Whatever is changed, it is read as some message or refused: nothing else is thrown, and
  /// nothing large is made of little.
  @Property(tries = 3000)
  void damagedBytesAreReadOrRefused(
      @ForAll("everything") Everything value, @ForAll long seed, @ForAll boolean cut) {
    byte[] bytes = bytes(value);
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    byte[] damaged = cut ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    try {
      assertThat(read(damaged)).isInstanceOf(Record.class);
    } catch (WireFormatException e) {
      assertThat(e.getMessage()).hasLineCount(1);
    }
  }

  @Property(tries = 3000)
  void randomBytesAreReadOrRefused(@ForAll byte[] bytes) {
    try {
      assertThat(read(bytes)).isInstanceOf(Record.class);
    } catch (WireFormatException e) {
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  @Test
  void theFingerprintTellsRegistriesApart() {
    assertThat(builder().build().fingerprint()).isEqualTo(CODEC.fingerprint());
    assertThat(builder().add(10, Other.class).build().fingerprint())
        .isNotEqualTo(CODEC.fingerprint());
  }

  private record Other(int value) {}

  @Test
  void whatCanNotBeWrittenIsFoundWhenTheRegistryIsMade() {
    assertThatThrownBy(() -> builder().add(10, Unknown.class).build())
        .hasMessageContaining("Unknown can't be a message")
        .hasMessageContaining("thread");
    assertThatThrownBy(
            () -> RecordCodec.builder(MethodHandles.lookup()).add(1, Group.class).build())
        .hasMessageContaining("Circle is not registered");
    assertThatThrownBy(() -> builder().add(4, Other.class)).hasMessageContaining("there twice");
    assertThatThrownBy(() -> bytes(new Other(1))).hasMessageContaining("not a registered message");
  }
}
