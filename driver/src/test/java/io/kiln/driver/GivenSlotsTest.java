package io.kiln.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.base.settings.Settings;
import io.kiln.driver.cluster.ExecutorSource;
import io.kiln.driver.cluster.ExecutorSourceProvider;
import io.kiln.network.transport.NodeAddress;
import io.kiln.process.ScratchDirectories;
import io.kiln.process.SharedSecret;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.LaunchRequest;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a context makes of the slots that a cluster gives and takes.
@Timeout(60)
class GivenSlotsTest {
  private static final AtomicInteger SLOTS = new AtomicInteger();
  private static final AtomicInteger ASKED_FOR_WANTED = new AtomicInteger();

  /// Of a cluster that never starts an executor.
  public static final class Provider implements ExecutorSourceProvider {
    @Override
    public String masterForm() {
      return "slots://HOST";
    }

    @Override
    public boolean serves(String master) {
      return master.startsWith("slots://");
    }

    @Override
    public ExecutorSource open(
        String master,
        Settings settings,
        ScratchDirectories scratch,
        Optional<SharedSecret> secret,
        Consumer<AllocationMessage> allocation) {
      return new Source();
    }
  }

  private static final class Source implements ExecutorSource {
    @Override
    public String driverHost() {
      return "127.0.0.1";
    }

    @Override
    public int slots() {
      return SLOTS.get();
    }

    @Override
    public int wantedSlots() {
      ASKED_FOR_WANTED.incrementAndGet();
      return 100;
    }

    @Override
    public int executors() {
      return 0;
    }

    @Override
    public String register(NodeAddress driver) {
      return "app-1";
    }

    @Override
    public void accept(LaunchRequest request) {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void forget() {
    SLOTS.set(2);
    ASKED_FOR_WANTED.set(0);
  }

  private static KilnConf conf() {
    return new KilnConf(false).setMaster("slots://nobody").setAppName("slots");
  }

  @Test
  void theDefaultParallelismIsWhatIsThereNow() {
    try (KilnContext context = KilnContext.create(conf())) {
      assertThat(context.defaultParallelism()).isEqualTo(2);
      SLOTS.set(12);
      assertThat(context.defaultParallelism()).isEqualTo(12);
      assertThat(context.range(0, 100).numPartitions()).isEqualTo(12);
      SLOTS.set(8);
      assertThat(context.defaultParallelism()).isEqualTo(8);
    }
  }

  @Test
  void aContextWaitsForThePartOfThemThatASettingAsksFor() {
    KilnConf conf =
        conf()
            .set("spark.scheduler.minRegisteredResourcesRatio", "1")
            .set("spark.scheduler.maxRegisteredResourcesWaitingTime", "10ms");
    try (KilnContext _ = KilnContext.create(conf)) {
      assertThat(ASKED_FOR_WANTED).hasPositiveValue();
    }
  }
}
