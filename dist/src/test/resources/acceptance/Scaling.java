package acceptance;

import io.kiln.api.KilnContext;
import io.kiln.api.listener.KilnEvent;
import io.kiln.api.listener.KilnListener;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Fewer and more executors, where there are executors.
final class Scaling {
  private static final long LIMIT_SECONDS = 120;

  private Scaling() {}

  static void check(KilnContext sc, Checks c) throws Exception {
    c.group("executors");
    if (sc.master().startsWith("local") && !sc.master().startsWith("local-cluster")) {
      c.equal("a total in local mode", false, () -> sc.requestTotalExecutors(2));
      c.equal("a total and hosts", false, () -> sc.requestTotalExecutors(2, 1, Map.of("h", 1)));
      c.equal("more", false, () -> sc.requestExecutors(1));
      c.equal("killExecutor", false, () -> sc.killExecutor("driver"));
      c.equal("killExecutors", false, () -> sc.killExecutors(List.of("driver")));
      return;
    }
    BlockingQueue<KilnEvent> heard = new LinkedBlockingQueue<>();
    KilnListener listener = heard::add;
    sc.addListener(listener);
    c.equal("a total of none", true, () -> sc.requestTotalExecutors(0));
    c.holds("one goes", () -> await(heard, Scaling::removed).isPresent());
    c.equal("one more", true, () -> sc.requestExecutors(1));
    String added = await(heard, Scaling::added).orElse("none came");
    c.equal("killExecutor", true, () -> sc.killExecutor(added));
    c.holds(
        "it goes", () -> await(heard, event -> removed(event).filter(added::equals)).isPresent());
    c.equal("killExecutors of nobody", false, () -> sc.killExecutors(List.of("nobody")));
    c.equal("a total and hosts", true, () -> sc.requestTotalExecutors(2, 1, Map.of("h", 1)));
    c.holds("another comes", () -> await(heard, Scaling::added).isPresent());
    c.equal("a job on them", 100L, () -> sc.range(0, 100, 1, 8).count());
    c.fails("fewer than none", "there can't be -1", () -> sc.requestTotalExecutors(-1));
    sc.removeListener(listener);
  }

  private static Optional<String> removed(KilnEvent event) {
    return event instanceof KilnEvent.ExecutorRemoved(String id, String _, long _)
        ? Optional.of(id)
        : Optional.empty();
  }

  private static Optional<String> added(KilnEvent event) {
    return event instanceof KilnEvent.ExecutorAdded(String id, String _, int _, long _)
        ? Optional.of(id)
        : Optional.empty();
  }

  private static Optional<String> await(
      BlockingQueue<KilnEvent> heard, Function<KilnEvent, Optional<String>> of) throws Exception {
    KilnEvent event = heard.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    while (event != null) {
      Optional<String> found = of.apply(event);
      if (found.isPresent()) {
        return found;
      }
      event = heard.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
    return Optional.empty();
  }
}
