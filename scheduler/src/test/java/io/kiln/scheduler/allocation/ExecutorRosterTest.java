package io.kiln.scheduler.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kiln.scheduler.allocation.LaunchRequest.RequestExecutors;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExecutorRosterTest {
  private final ExecutorRoster roster = new ExecutorRoster(4);

  private List<String> fill(int now, String... going) {
    return roster.fill(new RequestExecutors(ExecutorTarget.of(9), now, Set.of(going)));
  }

  @Test
  void whatIsMissingIsNamedOnceAndUpToTheRoom() {
    assertThat(fill(2)).containsExactly("0", "1");
    assertThat(fill(2)).isEmpty();
    assertThat(fill(9)).containsExactly("2", "3");
    assertThat(fill(0)).isEmpty();
  }

  @Test
  void whatIsGoneOrGoesIsReplacedUnderAnotherName() {
    assertThat(fill(2)).hasSize(2);
    roster.remove("0");
    assertThat(fill(2)).containsExactly("2");
    assertThat(fill(2, "1")).containsExactly("3");
    assertThat(fill(2, "1")).isEmpty();
    roster.remove("1");
    assertThat(fill(2)).isEmpty();
  }

  @Test
  void aTargetIsWhatAManagerCanTake() {
    assertThatIllegalArgumentException().isThrownBy(() -> ExecutorTarget.of(-1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ExecutorTarget(1, 0, List.of(""), List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ExecutorTarget(1, 0, List.of(), List.of("h".repeat(256))));
  }
}
