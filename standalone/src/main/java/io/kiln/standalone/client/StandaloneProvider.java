package io.kiln.standalone.client;

import io.kiln.base.settings.Master;
import io.kiln.base.settings.Master.Standalone;
import io.kiln.base.settings.Settings;
import io.kiln.driver.cluster.ExecutorSource;
import io.kiln.driver.cluster.ExecutorSourceProvider;
import io.kiln.process.ScratchDirectories;
import io.kiln.process.SharedSecret;
import io.kiln.scheduler.allocation.AllocationMessage;
import java.util.Optional;
import java.util.function.Consumer;

/// Serves `spark://HOST:PORT[,HOST:PORT...]`.
public final class StandaloneProvider implements ExecutorSourceProvider {

  @Override
  public boolean serves(Master master) {
    return master instanceof Standalone;
  }

  @Override
  public boolean decidesHowMany() {
    return true;
  }

  @Override
  public ExecutorSource open(
      Master master,
      Settings settings,
      ScratchDirectories scratch,
      Optional<SharedSecret> secret,
      Consumer<AllocationMessage> allocation) {
    return new StandaloneExecutors(((Standalone) master).masters(), settings, secret, allocation);
  }
}
