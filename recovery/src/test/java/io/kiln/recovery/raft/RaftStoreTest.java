package io.kiln.recovery.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.daemon.recovery.Change;
import io.kiln.recovery.raft.RaftWords.Append;
import io.kiln.recovery.raft.RaftWords.Changes;
import io.kiln.recovery.raft.RaftWords.Claim;
import java.util.Arrays;
import java.util.List;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/// What the common log does to what is kept, whoever wrote it.
class RaftStoreTest {
  private final RaftStore store =
      new RaftStore(
          new RaftStore.Listener() {
            @Override
            public void leads() {}

            @Override
            public void follows() {}

            @Override
            public void stopped(String why) {}
          });

  @Test
  void anEpochIsGreaterThanAllBeforeWhateverTheClocksSay() {
    assertThat(claim(1_000)).isEqualTo(1_000);
    assertThat(claim(5)).isEqualTo(1_001);
    assertThat(claim(2_000)).isEqualTo(2_000);
  }

  @Test
  void aBatchOfAnOlderEpochChangesNothing() {
    long old = claim(10);
    assertThat(append(old, 0, true, batch("a"))).isTrue();
    long next = claim(20);

    assertThat(append(old, 0, true, batch("b"))).isFalse();
    assertThat(store.entries(next).orElseThrow().keySet()).containsExactly("a");
    assertThat(store.entries(old)).isEmpty();
  }

  @Test
  void aBatchInPartsCountsWithItsLastAndNotAtAllIfAnotherLeadsBefore() {
    byte[] whole = batch("a");
    byte[] first = Arrays.copyOfRange(whole, 0, 3);
    byte[] rest = Arrays.copyOfRange(whole, 3, whole.length);
    long old = claim(10);

    assertThat(append(old, 0, false, first)).isTrue();
    assertThat(store.entries(old).orElseThrow()).isEmpty();
    long next = claim(20);
    assertThat(append(old, 1, true, rest)).isFalse();
    assertThat(store.entries(next).orElseThrow()).isEmpty();

    assertThat(append(next, 0, false, first)).isTrue();
    assertThat(append(next, 0, false, first)).as("begun anew").isTrue();
    assertThat(append(next, 1, true, rest)).isTrue();
    assertThat(store.entries(next).orElseThrow()).containsOnlyKeys("a");
  }

  private static byte[] batch(String key) {
    return RaftWords.bytes(new Changes(List.of(new Change.Put(key, new byte[0]))));
  }

  private long claim(long millis) {
    return RaftStore.claimedEpoch(store.apply(new Claim(millis)));
  }

  private boolean append(long epoch, int part, boolean last, byte[] bytes) {
    ByteString answer = store.apply(new Append(epoch, part, last, bytes));
    return RaftStore.isTaken(answer);
  }
}
