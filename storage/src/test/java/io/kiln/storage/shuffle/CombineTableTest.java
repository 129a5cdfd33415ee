package io.kiln.storage.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class CombineTableTest {

  private CombineTable table = new ObjectTable(CombineTable.FIRST_CAPACITY);

  @Test
  void takesWhatAnotherTableGivesInItsOrderWithoutCrowding() {
    for (int key = 0; key < 40_000; key++) {
      put(Integer.toString(key), "a value");
    }
    CombineTable first = table;
    table = new ObjectTable(CombineTable.FIRST_CAPACITY);
    int longest = 0;
    for (int i = 0; i < first.capacity(); i++) {
      int slot = first.slotAt(i);
      if (first.isUsed(slot)) {
        put(first.key(slot), "a value");
        if (table.size() % 1_000 == 0) {
          longest = Math.max(longest, table.longestProbe());
        }
      }
    }
    assertThat(table.size()).isEqualTo(40_000);
    assertThat(longest).isLessThan(500);
  }

  @Property(tries = 300)
  void holdsTheLastValueOfEachKeyAsAMapDoes(
      @ForAll("keys") List<Object> keys, @ForAll("values") List<Object> values) {
    table = new ObjectTable(CombineTable.FIRST_CAPACITY);
    Map<Object, Object> expected = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      Object value = values.get(i % values.size());
      expected.put(keys.get(i), value);
      put(keys.get(i), value);
    }
    Map<Object, Object> held = new HashMap<>();
    for (int i = 0; i < table.capacity(); i++) {
      int slot = table.slotAt(i);
      if (table.isUsed(slot)) {
        assertThat(table.hash(slot)).isEqualTo(CombineTable.hashOf(table.key(slot)));
        assertThat(held.containsKey(table.key(slot))).isFalse();
        held.put(table.key(slot), table.value(slot));
      }
    }
    assertThat(held).isEqualTo(expected);
    assertThat(table.size()).isEqualTo(expected.size());
  }

  private void put(Object key, Object value) {
    int hash = CombineTable.hashOf(key);
    if (table.size() == 0) {
      table = CombineTable.fitting(key, value);
    } else if (!table.takesKey(key) || !table.takesValue(value)) {
      table = table.widenedFor(key, value);
    }
    if (table.isFull()) {
      table.grow();
    }
    int slot = table.slot(key, hash);
    if (slot >= 0) {
      table.setValue(slot, value);
    } else {
      table.put(~slot, key, hash, value);
    }
  }

  /// Of one kind, as sums are, or of several.
  @Provide
  Arbitrary<List<Object>> values() {
    Arbitrary<Object> longs = Arbitraries.longs().asGeneric();
    Arbitrary<Object> integers = Arbitraries.integers().asGeneric();
    Arbitrary<Object> doubles =
        Arbitraries.oneOf(Arbitraries.doubles(), Arbitraries.of(Double.NaN, -0.0)).asGeneric();
    Arbitrary<Object> any =
        Arbitraries.oneOf(longs, integers, doubles, Arbitraries.of("text", true).asGeneric());
    return Arbitraries.of(longs, integers, doubles, any)
        .flatMap(kind -> kind.list().ofMinSize(1).ofMaxSize(50));
  }

  /// Integers, alone and among keys with the same hash codes; those that the table treats apart.
  @Provide
  Arbitrary<List<Object>> keys() {
    Arbitrary<Object> integers =
        Arbitraries.oneOf(
            Arbitraries.integers().between(-200, 200).asGeneric(),
            Arbitraries.of(0, 0x5bd1e995).asGeneric());
    Arbitrary<Object> any =
        Arbitraries.oneOf(
            integers,
            Arbitraries.longs().between(-200, 200).asGeneric(),
            Arbitraries.strings().ofMaxLength(2).asGeneric(),
            Arbitraries.just(null));
    return Arbitraries.oneOf(integers.list().ofMaxSize(300), any.list().ofMaxSize(300));
  }
}
