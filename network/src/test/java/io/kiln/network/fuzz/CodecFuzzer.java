package io.kiln.network.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.network.codec.RecordCodec;
import io.kiln.network.codec.WireReader;
import io.kiln.network.codec.WireWriter;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Fuzzes the reading of a registry's records: valid encodings of each of them, damaged.
public final class CodecFuzzer {
  private static final int SAMPLES_EACH = 50;

  private final RecordCodec codec;

  public CodecFuzzer(RecordCodec codec) {
    this.codec = codec;
  }

  /// @throws AssertionError with the seed and the input
  public void run(Duration time) {
    Fuzzing fuzzing = new Fuzzing(time);
    List<byte[]> valid = samples(fuzzing);
    Mutations mutations = new Mutations(fuzzing.random());
    long accepted =
        fuzzing.run(
            () -> mutations.of(valid.get(fuzzing.random().nextInt(valid.size())), valid),
            this::read,
            this::assertReadsBack);
    assertThat(accepted).as("some damage leaves messages").isPositive();
  }

  private List<byte[]> samples(Fuzzing fuzzing) {
    RandomRecords records = new RandomRecords(fuzzing.random(), codec.types());
    List<byte[]> valid = new ArrayList<>();
    for (Class<?> type :
        codec.types().stream().sorted(Comparator.comparing(Class::getName)).toList()) {
      for (int i = 0; i < SAMPLES_EACH; i++) {
        valid.add(sample(fuzzing, records.next(type)));
      }
    }
    return valid;
  }

  private byte[] sample(Fuzzing fuzzing, Record record) {
    try {
      assertReadsBack(record);
      return bytes(record);
    } catch (RuntimeException | AssertionError e) {
      throw fuzzing.failed(e);
    }
  }

  private byte[] bytes(Object value) {
    WireWriter out = new WireWriter(64);
    codec.write(value, out);
    return out.toByteArray();
  }

  private Object read(byte[] bytes) {
    WireReader in = codec.reader(bytes, 0, bytes.length);
    Object value = codec.read(in);
    in.requireEnd();
    return value;
  }

  private void assertReadsBack(Object value) {
    Object again = read(bytes(value));
    if (!same(value, again)) {
      throw new AssertionError(value + " was written, and " + again + " read");
    }
  }

  private static boolean same(Object one, Object other) {
    if (one.getClass().isArray()) {
      return sameElements(one, other);
    }
    return switch (one) {
      case Record record -> sameComponents(record, (Record) other);
      case Optional<?> optional ->
          same(optional.stream().toList(), ((Optional<?>) other).stream().toList());
      case Map<?, ?> map ->
          same(map.keySet(), ((Map<?, ?>) other).keySet())
              && same(map.values(), ((Map<?, ?>) other).values());
      case Collection<?> values -> sameInOrder(values, (Collection<?>) other);
      default -> Objects.equals(one, other);
    };
  }

  private static boolean sameElements(Object one, Object other) {
    int length = Array.getLength(one);
    if (length != Array.getLength(other)) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (!Array.get(one, i).equals(Array.get(other, i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameInOrder(Collection<?> one, Collection<?> other) {
    Iterator<?> others = other.iterator();
    return one.size() == other.size()
        && one.stream().allMatch(element -> same(element, others.next()));
  }

  private static boolean sameComponents(Record one, Record other) {
    if (one.getClass() != other.getClass()) {
      return false;
    }
    try {
      for (RecordComponent component : one.getClass().getRecordComponents()) {
        component.getAccessor().setAccessible(true);
        if (!same(component.getAccessor().invoke(one), component.getAccessor().invoke(other))) {
          return false;
        }
      }
      return true;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
