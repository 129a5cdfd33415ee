package acceptance;

import acceptance.Data.Word;
import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import io.kiln.api.function.SerializableComparator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// Actions that answer.
final class Asking {
  private Asking() {}

  static void check(KilnContext sc, Checks c) {
    RDD<Integer> numbers = sc.parallelize(Data.NUMBERS, 4);
    RDD<Word> words = sc.parallelize(Data.WORDS, 3);
    taking(sc, numbers, c);
    ordering(words, c);
    reducing(numbers, words, c);
    describing(numbers, c);
  }

  private static void taking(KilnContext sc, RDD<Integer> numbers, Checks c) {
    c.group("taking");
    c.equal("collect", Data.NUMBERS, numbers::collect);
    c.equal(
        "collectPartitions",
        List.of(Changing.parts(4).get(2), Changing.parts(4).get(0)),
        () -> numbers.collectPartitions(2, 0));
    c.equal("toLocalIterator", Data.NUMBERS, () -> all(numbers.toLocalIterator()));
    c.equal("toLocalIterator ahead", Data.NUMBERS, () -> all(numbers.toLocalIterator(true)));
    c.equal("count", 100L, numbers::count);
    c.equal(
        "countByValue",
        Data.counts(Data.WORDS),
        () -> sc.parallelize(Data.WORDS, 3).countByValue());
    c.equal("first", 1, numbers::first);
    c.equal("take", Data.NUMBERS.subList(0, 60), () -> numbers.take(60));
    c.equal(
        "isEmpty", List.of(false, true), () -> List.of(numbers.isEmpty(), sc.emptyRDD().isEmpty()));
    c.fails("first of nothing", "", () -> sc.emptyRDD().first());
    c.fails("what a task throws", "number 7", () -> numbers.map(Asking::refuseSeven).count());
    c.equal(
        "the class of what a task throws",
        Unlucky.class,
        () -> {
          try {
            return numbers.map(Asking::refuseSeven).count();
          } catch (io.kiln.api.KilnException e) {
            return e.getCause().getClass();
          }
        });
  }

  /// An exception of the program's.
  static final class Unlucky extends Exception {
    private static final long serialVersionUID = 1L;

    Unlucky(String message) {
      super(message);
    }
  }

  private static int refuseSeven(int number) throws Unlucky {
    if (number == 7) {
      throw new Unlucky("number 7");
    }
    return number;
  }

  private static <T> List<T> all(Iterator<T> iterator) {
    List<T> all = new ArrayList<>();
    iterator.forEachRemaining(all::add);
    return all;
  }

  private static void ordering(RDD<Word> words, Checks c) {
    c.group("ordering");
    List<Word> up = Data.WORDS.stream().sorted().toList();
    Comparator<Word> reverse = Comparator.reverseOrder();
    SerializableComparator<Word> backwards = (a, b) -> b.compareTo(a);
    c.equal("top", up.reversed().subList(0, 3), () -> words.top(3));
    c.equal("top by an order", up.subList(0, 3), () -> words.top(3, reverse));
    c.equal("top by a lambda", up.subList(0, 3), () -> words.top(3, backwards));
    c.equal("takeOrdered", up.subList(0, 3), () -> words.takeOrdered(3));
    c.equal(
        "takeOrdered by an order",
        up.reversed().subList(0, 3),
        () -> words.takeOrdered(3, reverse));
    c.equal(
        "takeOrdered by a lambda",
        up.reversed().subList(0, 3),
        () -> words.takeOrdered(3, backwards));
    c.equal("max by an order", up.getFirst(), () -> words.max(reverse));
    c.equal("max by a lambda", up.getFirst(), () -> words.max(backwards));
    c.equal("min by an order", up.getLast(), () -> words.min(reverse));
    c.equal("min by a lambda", up.getLast(), () -> words.min(backwards));
  }

  private static void reducing(RDD<Integer> numbers, RDD<Word> words, Checks c) {
    c.group("reducing");
    String texts = String.join("", Data.WORDS.stream().map(Word::text).toList());
    c.equal("reduce", 5050, () -> numbers.reduce(Integer::sum));
    c.equal("treeReduce", 5050, () -> numbers.treeReduce(Integer::sum));
    c.equal("treeReduce in 3", 5050, () -> numbers.treeReduce(Integer::sum, 3));
    c.equal("fold", texts, () -> words.map(Word::text).fold("", String::concat));
    c.equal(
        "aggregate",
        Data.WORDS,
        () -> words.aggregate(new ArrayList<Word>(), Asking::with, Asking::both));
    c.bag(
        "treeAggregate",
        Data.WORDS,
        () -> words.treeAggregate(new ArrayList<Word>(), Asking::with, Asking::both));
    c.bag(
        "treeAggregate in 3",
        Data.WORDS,
        () ->
            words
                .repartition(9)
                .treeAggregate(new ArrayList<Word>(), Asking::with, Asking::both, 3));
  }

  private static ArrayList<Word> with(ArrayList<Word> list, Word word) {
    list.add(word);
    return list;
  }

  private static ArrayList<Word> both(ArrayList<Word> list, ArrayList<Word> other) {
    list.addAll(other);
    return list;
  }

  private static void describing(RDD<Integer> numbers, Checks c) {
    c.group("describing");
    RDD<Integer> named = numbers.map(n -> n).setName("named");
    c.equal("name", Optional.of("named"), named::name);
    c.holds("id", () -> named.id() > numbers.id());
    c.equal("numPartitions", 4, named::numPartitions);
    c.equal(
        "partitions",
        List.of(0, 1, 2, 3),
        () -> named.partitions().stream().map(p -> p.index()).toList());
    c.equal("dependencies", numbers, () -> named.dependencies().getFirst().parent());
    c.holds("determinism", () -> named.determinism() == io.kiln.api.Determinism.DETERMINATE);
    c.equal(
        "preferredLocations",
        List.of(),
        () -> named.preferredLocations(named.partitions().getFirst()));
    c.holds("context", () -> named.context() == numbers.context());
    c.equal("partitioner", Optional.empty(), named::partitioner);
    c.equal("callSite", "map", () -> named.callSite().operation());
    c.holds("callSite's location", () -> named.callSite().location().contains("Asking.java:"));
    c.holds("callSite's user location", () -> named.callSite().userLocation().isPresent());
    c.holds("toDebugString", () -> named.toDebugString().contains("named"));
  }
}
