package io.kiln.programs.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import java.util.Comparator;
import java.util.List;

/// An operation of a random pipeline with its number.
///
/// @param number from 1; what it means is the operation's
record Step(Operation operation, int number) {

  PairRDD<Integer, Long> on(PairRDD<Integer, Long> rdd) {
    return operation.on(rdd, number);
  }

  List<Pair<Integer, Long>> on(List<Pair<Integer, Long>> records) {
    return operation.on(records, number);
  }

  /// That the records lie where this operation, the last one, says.
  void assertPlaced(PairRDD<Integer, Long> rdd) {
    switch (operation) {
      case SORT_BY_VALUE ->
          assertThat(rdd.values().collect()).isSortedAccordingTo(Comparator.reverseOrder());
      case SORT_BY_KEY -> assertThat(rdd.keys().collect()).isSorted();
      case REDUCE, PLACE, SORT_WITHIN -> {
        List<List<Pair<Integer, Long>>> partitions = rdd.glom().collect();
        assertThat(partitions).hasSize(number);
        for (int index = 0; index < number; index++) {
          int partition = index;
          assertThat(partitions.get(index))
              .allMatch(pair -> Math.floorMod(pair.key(), number) == partition);
          if (operation == Operation.SORT_WITHIN) {
            assertThat(partitions.get(index).stream().map(Pair::key)).isSorted();
          }
        }
      }
      default -> {}
    }
  }
}
