package io.kiln.standalone.client;

import io.kiln.base.settings.Settings;
import io.kiln.driver.cluster.ExecutorSource;
import io.kiln.driver.cluster.ExecutorSourceProvider;
import io.kiln.node.ClusterUrl;
import io.kiln.process.ScratchDirectories;
import io.kiln.process.SharedSecret;
import io.kiln.scheduler.allocation.AllocationMessage;
import java.util.Optional;
import java.util.function.Consumer;

/// Serves `spark://HOST:PORT[,HOST:PORT...]`.
public final class StandaloneProvider implements ExecutorSourceProvider {

  @Override
  public String masterForm() {
    return ClusterUrl.FORM;
  }

  @Override
  public boolean serves(String master) {
    return ClusterUrl.parse(master).isPresent();
  }

  @Override
  public boolean decidesHowMany() {
    return true;
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
