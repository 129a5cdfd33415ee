package sample;

import io.kiln.base.settings.Settings;
import io.kiln.driver.cluster.ExecutorSource;
import io.kiln.driver.cluster.ExecutorSourceProvider;
import io.kiln.process.ScratchDirectories;
import io.kiln.process.SharedSecret;
import io.kiln.scheduler.allocation.AllocationMessage;
import java.util.Optional;
import java.util.function.Consumer;

/// Gives the executors of `sample://N`.
public final class SampleProvider implements ExecutorSourceProvider {

  @Override
  public String masterForm() {
    return "sample://N";
  }

  @Override
  public boolean serves(String master) {
    return master.matches("sample://[1-9]");
  }

  @Override
  public ExecutorSource open(
      String master,
      Settings settings,
      ScratchDirectories scratch,
      Optional<SharedSecret> secret,
      Consumer<AllocationMessage> allocation) {
    int executors = Integer.parseInt(master.substring(SampleManager.SCHEME.length()));
    return new SampleExecutors(executors, settings, scratch.roots().getFirst(), secret, allocation);
  }
}
