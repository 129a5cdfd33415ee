package io.kiln.cluster.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.cluster.Descriptions;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ApplicationDescription.Share;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.ToApplication.ExecutorAdded;
import io.kiln.cluster.protocol.ToWorker.LaunchExecutor;
import java.util.List;
import org.junit.jupiter.api.Test;

class MasterPoolsTest {
  private final MasterUnderTest master =
      MasterUnderTest.alive("spark.kiln.deploy.pools", "batch:1, interactive:3");

  private static ApplicationDescription of(String pool, int maxCores, int executorCores) {
    return Descriptions.application(maxCores, executorCores, 10, new Share(pool, 0));
  }

  private int cores(long application) {
    return master.sentToApplication(application, ExecutorAdded.class).stream()
        .mapToInt(added -> added.executor().cores())
        .sum();
  }

  @Test
  void poolsThatCompeteShareByTheirWeights() {
    master.application(1, of("batch", 0, 1));
    master.application(2, of("interactive", 0, 1));
    master.worker("a", 40, 1000);

    assertThat(cores(1)).isEqualTo(10);
    assertThat(cores(2)).isEqualTo(30);
  }

  @Test
  void whatAPoolDoesNotWantTheOthersGet() {
    master.application(1, of("batch", 0, 1));
    master.application(2, of("interactive", 6, 1));
    master.application(3, of("unlisted", 0, 1));
    master.worker("a", 40, 1000);

    assertThat(cores(2)).isEqualTo(6);
    assertThat(cores(1)).isEqualTo(17);
    assertThat(cores(3)).isEqualTo(17);
  }

  @Test
  void onePoolAloneGetsEverything() {
    master.application(1, of("batch", 0, 1));
    master.worker("a", 40, 1000);
    assertThat(cores(1)).isEqualTo(40);
  }

  @Test
  void whatBecomesFreeGoesToThePoolThatHasLessThanItsShare() {
    master.application(1, of("batch", 0, 1));
    master.worker("a", 40, 1000);
    master.application(2, of("interactive", 0, 1));
    assertThat(cores(2)).isZero();

    for (LaunchExecutor launch : List.copyOf(master.launches("a")).subList(0, 34)) {
      master.executor("a", launch, ExecutorState.EXITED, 0);
    }

    assertThat(cores(2)).isEqualTo(30);
    assertThat(cores(1)).isEqualTo(40 + 4);
  }

  @Test
  void withoutCoresAPoolGetsItsShareInFewExecutors() {
    master.application(1, of("batch", 0, 0));
    master.application(2, of("interactive", 0, 0));
    master.worker("a", 20, 1000);
    master.worker("b", 20, 1000);

    assertThat(cores(1)).isEqualTo(10);
    assertThat(cores(2)).isEqualTo(30);
    assertThat(master.sentToApplication(2, ExecutorAdded.class)).hasSize(2);
  }

  @Test
  void executorsThatDontFitAShareStillUseTheCluster() {
    master.application(1, of("batch", 0, 8));
    master.application(2, of("interactive", 0, 8));
    master.worker("a", 16, 1000);

    assertThat(cores(1) + cores(2)).isEqualTo(16);
  }
}
