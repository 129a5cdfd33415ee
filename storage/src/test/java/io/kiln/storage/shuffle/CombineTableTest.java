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

  @Test
  void takesWhatAnotherTableGivesInItsOrderWithoutCrowding() {
    CombineTable first = new CombineTable();
    for (int key = 0; key < 40_000; key++) {
      add(first, Integer.toString(key));
    }
    CombineTable second = new CombineTable();
    int longest = 0;
    for (int slot = 0; slot < first.capacity(); slot++) {
      if (first.isUsed(slot)) {
        add(second, first.key(slot));
        if (second.size() % 1_000 == 0) {
          longest = Math.max(longest, second.longestProbe());
        }
      }
    }
    assertThat(longest)
        .isLessThan(200); // with one multiplier for all capacities: tens of thousands
  }

  private static void add(CombineTable table, Object key) {
    int hash = CombineTable.hashOf(key);
    if (table.isFull()) {
      table.grow();
    }
    table.put(~table.slot(key, hash), key, hash, 1);
  }

  @Property(tries = 200)
  void countsAsAMapDoes(@ForAll("keys") List<Object> keys) {
    CombineTable table = new CombineTable();
    Map<Object, Integer> expected = new HashMap<>();
    for (Object key : keys) {
      expected.merge(key, 1, Integer::sum);
      int hash = CombineTable.hashOf(key);
      int slot = table.slot(key, hash);
      if (slot >= 0) {
        table.setValue(slot, (Integer) table.value(slot) + 1);
        continue;
      }
      if (table.isFull()) {
        table.grow();
        slot = table.slot(key, hash);
      }
      table.put(~slot, key, hash, 1);
    }
    Map<Object, Object> counted = new HashMap<>();
    for (int slot = 0; slot < table.capacity(); slot++) {
      if (table.isUsed(slot)) {
        assertThat(counted.put(table.key(slot), table.value(slot))).isNull();
      }
    }
    assertThat(counted).isEqualTo(expected);
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
