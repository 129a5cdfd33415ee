package io.kiln.cluster.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.cluster.master.Placement.Demand;
import io.kiln.cluster.master.Placement.Placed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementTest {
  private record Free(int number, int coresFree, int memoryFreeMebibytes)
      implements Placement.Room {}

  private static final int ANY = Integer.MAX_VALUE;

  private static List<Free> rooms(int... cores) {
    return IntStream.range(0, cores.length).mapToObj(i -> new Free(i, cores[i], 1000)).toList();
  }

  /// Number of the room and cores of each executor, in order.
  private static List<String> place(Demand demand, List<Free> rooms, boolean spreadOut) {
    List<Placed<Free>> placed = Placement.place(demand, rooms, spreadOut);
    return placed.stream().map(one -> one.room().number() + ":" + one.cores()).toList();
  }

  @Test
  void spreadsExecutorsOverAllRooms() {
    assertThat(place(new Demand(2, 100, 8, ANY), rooms(8, 8, 8), true))
        .containsExactly("0:2", "0:2", "1:2", "2:2");
  }

  @Test
  void packsExecutorsIntoFewRooms() {
    assertThat(place(new Demand(2, 100, 8, ANY), rooms(6, 8, 8), false))
        .containsExactly("0:2", "0:2", "0:2", "1:2");
  }

  @Test
  void withoutCoresGivesOneExecutorPerRoomAsManyAsCanBe() {
    assertThat(place(new Demand(0, 100, ANY, ANY), rooms(8, 3), true))
        .containsExactly("0:8", "1:3");
    assertThat(place(new Demand(0, 100, 5, ANY), rooms(8, 8), true)).containsExactly("0:3", "1:2");
    assertThat(place(new Demand(0, 100, 5, ANY), rooms(8, 8), false)).containsExactly("0:5");
  }

  @Test
  void givesNoLessThanTheCoresOfAnExecutor() {
    assertThat(place(new Demand(3, 100, 8, ANY), rooms(8, 2), true)).containsExactly("0:3", "0:3");
  }

  @Test
  void memoryBoundsTheExecutorsOfARoom() {
    assertThat(place(new Demand(1, 400, ANY, ANY), rooms(8), true)).containsExactly("0:1", "0:1");
    assertThat(place(new Demand(1, 1001, ANY, ANY), rooms(8), true)).isEmpty();
    assertThat(place(new Demand(1, Integer.MAX_VALUE, ANY, ANY), rooms(8), false)).isEmpty();
  }

  @Test
  void theLimitBoundsExecutorsButNotTheCoresOfThoseWithoutCores() {
    assertThat(place(new Demand(1, 100, ANY, 3), rooms(8, 8), true)).hasSize(3);
    assertThat(place(new Demand(0, 100, ANY, 1), rooms(8, 8), true)).containsExactly("0:8");
    assertThat(place(new Demand(1, 100, ANY, 0), rooms(8), true)).isEmpty();
  }

  @Test
  void looksAtNoMoreRoomsThanItNeeds() {
    List<Free> looked = new ArrayList<>();
    Iterable<Free> rooms =
        () ->
            rooms(new int[10_000]).stream()
                .map(r -> new Free(r.number(), 4, 1000))
                .peek(looked::add)
                .iterator();

    Placement.place(new Demand(1, 100, 20, ANY), rooms, true);

    assertThat(looked).hasSizeLessThanOrEqualTo(21);
  }

  /// The rounds over all rooms, as they are described for Spark, without any short cut.
  private static Map<Integer, int[]> byRounds(Demand demand, List<Free> rooms, boolean spreadOut) {
    Map<Integer, int[]> coresAndExecutors = new HashMap<>();
    rooms.forEach(room -> coresAndExecutors.put(room.number(), new int[2]));
    long coresLeft = Math.min(demand.maxCores(), rooms.stream().mapToLong(Free::coresFree).sum());
    boolean progress = true;
    while (progress) {
      progress = false;
      for (Free room : rooms) {
        int[] got = coresAndExecutors.get(room.number());
        while (true) {
          boolean anew = demand.executorCores() > 0 || got[1] == 0;
          int executors = coresAndExecutors.values().stream().mapToInt(g -> g[1]).sum();
          if (coresLeft < demand.leastCores()
              || room.coresFree() - got[0] < demand.leastCores()
              || (anew
                  && (room.memoryFreeMebibytes() < (got[1] + 1L) * demand.memoryMebibytes()
                      || executors >= demand.maxExecutors()))) {
            break;
          }
          coresLeft -= demand.leastCores();
          got[0] += demand.leastCores();
          got[1] = demand.executorCores() > 0 ? got[1] + 1 : 1;
          progress = true;
          if (spreadOut) {
            break;
          }
        }
      }
    }
    return coresAndExecutors;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isTheSameAsRoundsOverAllRooms(boolean spreadOut) {
    SplittableRandom random = new SplittableRandom(7);
    int placedAltogether = 0;
    for (int run = 0; run < 20_000; run++) {
      List<Free> rooms =
          IntStream.range(0, random.nextInt(8))
              .mapToObj(i -> new Free(i, random.nextInt(9), random.nextInt(1000)))
              .toList();
      Demand demand =
          new Demand(
              random.nextInt(4),
              1 + random.nextInt(400),
              random.nextInt(3) == 0 ? ANY : random.nextInt(30),
              random.nextInt(3) == 0 ? ANY : random.nextInt(10));
      Map<Integer, int[]> expected = byRounds(demand, rooms, spreadOut);

      List<Placed<Free>> placed = Placement.place(demand, rooms, spreadOut);

      for (Free room : rooms) {
        List<Integer> cores =
            placed.stream()
                .filter(p -> p.room().number() == room.number())
                .map(Placed::cores)
                .toList();
        assertThat(cores.stream().mapToInt(c -> c).sum())
            .as("cores in %s of %s for %s", room, rooms, demand)
            .isEqualTo(expected.get(room.number())[0]);
        assertThat(cores).as("executors").hasSize(expected.get(room.number())[1]);
      }
      placedAltogether += placed.size();
    }
    assertThat(placedAltogether).isGreaterThan(20_000);
  }
}
