package io.kiln.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.daemon.recovery.Change;
import io.kiln.daemon.recovery.NotLeadingException;
import io.kiln.recovery.Member.Term;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What every way of electing and keeping owes its masters.
@Timeout(60)
public abstract class RecoveryContractTest {
  private static final int LARGE = 2 << 20; // more than ZooKeeper takes in a node, or at once

  private final BlockingQueue<Term> terms = new LinkedBlockingQueue<>();
  private final List<Member> members = new ArrayList<>();

  /// Settings of each master of the cluster, in any order.
  protected abstract List<Map<String, String>> masters() throws Exception;

  /// Whether the next leads without anybody's doing when one is gone.
  protected boolean hasStandby() {
    return true;
  }

  private void startAll() throws Exception {
    for (Map<String, String> settings : masters()) {
      members.add(new Member(settings, terms));
    }
  }

  /// All at once: each may take a second.
  @AfterEach
  void stopAll() {
    try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
      members.forEach(member -> each.execute(member::close));
    }
    members.clear();
  }

  private Term next() throws InterruptedException {
    Term term = terms.poll(30, TimeUnit.SECONDS);
    assertThat(term).as("an election; failures: %s", failures()).isNotNull();
    return term;
  }

  private List<Object> failures() {
    List<Object> all = new ArrayList<>();
    members.forEach(member -> all.addAll(member.failures));
    return all;
  }

  private Term afterTheEndOf(Term term) throws Exception {
    term.member().close();
    members.remove(term.member());
    if (!hasStandby()) {
      startAll();
    }
    return next();
  }

  @Test
  void whoIsElectedNextKnowsWhatWasKeptAndHasAGreaterEpoch() throws Exception {
    startAll();
    Term first = next();
    assertThat(first.entries()).isEmpty();
    String odd = "worker_a/b ~1%2F ä.";
    first.member().put(first.epoch(), "a", "1");
    first.member().put(first.epoch(), odd, "odd");
    first.member().put(first.epoch(), "gone", "x");
    first
        .member()
        .persist(
            first.epoch(),
            new Change.Put("a", "2".getBytes(StandardCharsets.UTF_8)),
            new Change.Remove("gone"),
            new Change.Remove("never"),
            new Change.Put("b", new byte[0]));

    Term second = afterTheEndOf(first);

    Map<String, String> kept = Map.of("a", "2", odd, "odd", "b", "");
    assertThat(second.entries()).isEqualTo(kept);
    assertThat(second.epoch()).isGreaterThan(first.epoch());
    assertThatThrownBy(() -> first.member().put(first.epoch(), "a", "3"))
        .isInstanceOf(NotLeadingException.class);
    assertThatThrownBy(() -> second.member().put(first.epoch(), "a", "3"))
        .isInstanceOf(NotLeadingException.class);
    second.member().put(second.epoch(), "b", "of the second");

    stopAll();
    startAll();
    Term third = next();
    assertThat(third.entries()).isEqualTo(Map.of("a", "2", odd, "odd", "b", "of the second"));
    assertThat(third.epoch()).isGreaterThan(second.epoch());
  }

  @Test
  void largeEntriesAndLargeBatchesAreKeptWhole() throws Exception {
    startAll();
    Term first = next();
    Map<String, String> expected = new HashMap<>();
    List<Change> batch = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String value = Integer.toString(i).repeat(20_000);
      expected.put("driver_" + i, value);
      batch.add(new Change.Put("driver_" + i, value.getBytes(StandardCharsets.UTF_8)));
    }
    first.member().put(first.epoch(), "large", "x".repeat(LARGE));
    first.member().put(first.epoch(), "shrinks", "y".repeat(LARGE));
    first.member().put(first.epoch(), "goes", "z".repeat(LARGE));
    first.member().persist(first.epoch(), batch.toArray(Change[]::new));
    first.member().put(first.epoch(), "shrinks", "y");
    first.member().persist(first.epoch(), new Change.Remove("goes"));

    expected.put("large", "x".repeat(LARGE));
    expected.put("shrinks", "y");
    assertThat(afterTheEndOf(first).entries()).isEqualTo(expected);
  }
}
