package io.kiln.standalone.client;

import io.kiln.base.settings.Settings;
import io.kiln.driver.cluster.ExecutorSource;
import io.kiln.driver.cluster.ExecutorSourceProvider;
import io.kiln.node.ClusterUrl;
import io.kiln.process.ScratchDirectories;
import io.kiln.process.SharedSecret;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.ManagerTraits;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// Serves `spark://HOST:PORT[,HOST:PORT...]`.
public final class StandaloneProvider implements ExecutorSourceProvider {
  /// A worker sees at once how a process of its ends, and its master passes that on.
  private static final Duration REASON_TIMEOUT = Duration.ofSeconds(1);

  @Override
  public String masterForm() {
    return ClusterUrl.FORM;
  }

  @Override
  public boolean serves(String master) {
    return ClusterUrl.parse(master).isPresent();
  }

  /// The master replaces executors that fail, and ends the application when too many do.
  @Override
  public ManagerTraits traits() {
    return new ManagerTraits(REASON_TIMEOUT, true);
  }

  @Override
  public ExecutorSource open(
      String master,
      Settings settings,
      ScratchDirectories scratch,
      Optional<SharedSecret> secret,
      Consumer<AllocationMessage> allocation) {
    return new StandaloneExecutors(
        ClusterUrl.parse(master).orElseThrow().masters(), settings, secret, allocation);
  }
}
