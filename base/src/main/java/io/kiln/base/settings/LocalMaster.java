package io.kiln.base.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A `spark.master` by which an application needs no cluster: all runs on the driver's machine.
public sealed interface LocalMaster {
  /// For messages.
  String FORMS = "local, local[N], local[*], local[N,F], local-cluster[W,C,M]";

  /// All in the driver's process.
  ///
  /// @param slots how many tasks run at once, at least 1
  /// @param maxTaskFailures how often a task may fail until its job fails, at least 1
  record Local(int slots, int maxTaskFailures) implements LocalMaster {}

  /// Executors in processes of their own, all on the driver's machine.
  ///
  /// @param workers at least 1
  /// @param coresPerWorker at least 1
  /// @param memoryPerWorkerMib at least 1
  record LocalCluster(int workers, int coresPerWorker, int memoryPerWorkerMib)
      implements LocalMaster {}

  /// Parses what has the [#FORMS]; spaces inside the brackets don't matter.
  ///
  /// @return empty if it has none of them
  static Optional<LocalMaster> parse(String text) {
    String master = text.trim();
    if (master.equals("local")) {
      return Optional.of(new Local(1, 1));
    }
    int bracket = master.indexOf('[');
    if (bracket < 0 || !master.endsWith("]")) {
      return Optional.empty();
    }
    List<Integer> numbers = new ArrayList<>();
    for (String part : master.substring(bracket + 1, master.length() - 1).split(",", -1)) {
      numbers.add(number(part.trim(), numbers.isEmpty()));
    }
    if (numbers.contains(0)) {
      return Optional.empty();
    }
    return switch (master.substring(0, bracket)) {
      case "local" ->
          numbers.size() > 2
              ? Optional.empty()
              : Optional.of(new Local(numbers.get(0), numbers.size() == 2 ? numbers.get(1) : 1));
      case "local-cluster" ->
          numbers.size() != 3 || master.contains("*")
              ? Optional.empty()
              : Optional.of(new LocalCluster(numbers.get(0), numbers.get(1), numbers.get(2)));
      default -> Optional.empty();
    };
  }

  /// @return 0 for what is no number from 1 on
  private static int number(String text, boolean mayBeStar) {
    if (mayBeStar && text.equals("*")) {
      return Runtime.getRuntime().availableProcessors();
    }
    boolean digits = !text.isEmpty() && text.length() <= 6;
    for (int i = 0; i < text.length(); i++) {
      digits &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    return digits ? Integer.parseInt(text) : 0;
  }
}
