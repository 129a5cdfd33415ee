package io.kiln.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.base.settings.Settings;
import io.kiln.scheduler.allocation.AllocationOptions;
import io.kiln.scheduler.allocation.ManagerTraits;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class AllocationSetupTest {
  private static final ManagerTraits MANAGER = new ManagerTraits(Duration.ofSeconds(7), true);
  private static final Duration SILENCE = Duration.ofMinutes(2);

  @Test
  void whatIsNotSetIsTheMachinesOwnDefault() {
    assertThat(options(new KilnConf(false)))
        .isEqualTo(AllocationOptions.DEFAULT.withManager(MANAGER));
  }

  @Test
  void everySettingIsRead() {
    assertThat(
            options(
                new KilnConf(false)
                    .set("spark.kiln.executor.startTimeout", "5min")
                    .set("spark.executor.maxNumFailures", "7")
                    .set("spark.executor.failuresValidityInterval", "1h")
                    .set("spark.kiln.scheduler.noResourcesTimeout", "90")
                    .set("spark.executor.decommission.forceKillTimeout", "120s")))
        .isEqualTo(
            new AllocationOptions(
                MANAGER,
                Duration.ofMinutes(5),
                SILENCE,
                OptionalInt.of(7),
                Optional.of(Duration.ofHours(1)),
                Optional.of(Duration.ofSeconds(90)),
                Optional.of(Duration.ofMinutes(2))));
  }

  @Test
  void anApplicationMayNotBeGivenUpBeforeItsFirstFailure() {
    assertThatThrownBy(() -> options(new KilnConf(false).set("spark.executor.maxNumFailures", "0")))
        .isInstanceOf(KilnException.class)
        .hasMessageContaining("spark.executor.maxNumFailures");
  }

  private static AllocationOptions options(KilnConf conf) {
    return AllocationSetup.options(Settings.of(conf), MANAGER, SILENCE);
  }
}
