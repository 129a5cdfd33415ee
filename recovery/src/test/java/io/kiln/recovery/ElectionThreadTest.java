package io.kiln.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ElectionThreadTest {

  /// Lost, it would be an election that nobody ever hears of.
  @Test
  void workThatFailsIsTheEndOfTheMaster() throws Exception {
    BlockingQueue<KilnException> failures = new LinkedBlockingQueue<>();
    BlockingQueue<String> done = new LinkedBlockingQueue<>();
    try (ElectionThread thread = new ElectionThread(failures::add)) {
      thread.execute(
          () -> {
            throw new NoClassDefFoundError("on purpose");
          });
      thread.execute(() -> done.add("the next"));

      assertThat(done.take()).isEqualTo("the next");
      assertThat(failures)
          .singleElement()
          .satisfies(
              failure -> {
                assertThat(failure.code()).isEqualTo("ELECTION_FAILED");
                assertThat(failure)
                    .hasMessageContaining("on purpose")
                    .hasMessageContaining("start it");
              });
    }
  }
}
