package io.kiln.driver.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnConf;
import io.kiln.base.settings.Settings;
import io.kiln.network.transport.NodeAddress;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.AllocationMessage.LaunchFailed;
import io.kiln.scheduler.allocation.ExecutorTarget;
import io.kiln.scheduler.allocation.LaunchRequest.RequestExecutors;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LocalClusterTest {
  @TempDir Path directory;

  /// Lost, the executor would be waited for for ever.
  @Test
  void whateverALaunchThrowsIsItsEnd() throws Exception {
    Settings settings = Settings.of(new KilnConf(false).set("spark.executorEnv.A=B", "x"));
    BlockingQueue<AllocationMessage> told = new LinkedBlockingQueue<>();
    LocalCluster cluster =
        new LocalCluster(
            settings,
            directory.resolve("cluster"),
            Optional.empty(),
            new LocalCluster.Shape(1, 1, 1 << 28),
            told::add);
    String _ = cluster.register(new NodeAddress("localhost", 1));

    cluster.accept(new RequestExecutors(ExecutorTarget.of(1), 1, Set.of()));

    assertThat(told.take())
        .isInstanceOfSatisfying(
            LaunchFailed.class, failed -> assertThat(failed.toString()).contains("A=B"));
  }
}
