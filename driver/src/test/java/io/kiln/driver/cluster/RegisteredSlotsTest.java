package io.kiln.driver.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnConf;
import io.kiln.base.settings.Settings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RegisteredSlotsTest {
  private final RegisteredSlots slots = new RegisteredSlots();

  private static Settings settings(String ratio, String wait) {
    return Settings.of(
        new KilnConf(false)
            .set("spark.scheduler.minRegisteredResourcesRatio", ratio)
            .set("spark.scheduler.maxRegisteredResourcesWaitingTime", wait));
  }

  @Test
  void nothingIsWaitedForUnlessASettingSaysSo() {
    slots.await(Settings.of(new KilnConf(false)), () -> 100);
  }

  @Test
  void aProgramBeginsOnceThatPartIsThere() throws Exception {
    CompletableFuture<Void> begun =
        CompletableFuture.runAsync(() -> slots.await(settings("0.5", "1h"), () -> 16));
    slots.registered("1", 4);
    slots.lost("1");
    slots.registered("2", 4);
    assertThat(begun).isNotDone();
    slots.registered("3", 4);

    begun.get(20, TimeUnit.SECONDS);
  }

  @Test
  void itIsNotWaitedForLongerThanTheSettingSays() {
    slots.await(settings("1", "10ms"), () -> 16);
  }
}
