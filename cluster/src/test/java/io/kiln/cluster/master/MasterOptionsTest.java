package io.kiln.cluster.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnConf;
import io.kiln.base.settings.Settings;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MasterOptionsTest {
  private static MasterOptions with(String key, String value) {
    return MasterOptions.of(Settings.of(new KilnConf(false).set(key, value)), ZoneOffset.UTC);
  }

  @Test
  void recoveryWaitsAsLongAsForAWorkerUnlessSaid() {
    assertThat(with("spark.worker.timeout", "30").waits().recovery())
        .isEqualTo(Duration.ofSeconds(30));
    assertThat(with("spark.deploy.recoveryTimeout", "7").waits().recovery())
        .isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void readsWeights() {
    assertThat(with("spark.kiln.deploy.pools", "a:1, b:20").scheduling().shares().weights())
        .isEqualTo(Map.of("a", 1, "b", 20));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a:", "a:0", ":1", "a:x", "a:-1", "a:1,a:2", "a:99999999"})
  void refusesWeightsThatAreNone(String pools) {
    assertThatThrownBy(() -> with("spark.kiln.deploy.pools", pools))
        .hasMessageContaining("spark.kiln.deploy.pools=")
        .hasMessageContaining("for example batch:1,interactive:3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"app-%s", "app", "app-%d-%d", "app-%s-%04x-%s"})
  void refusesPatternsThatNameTwoAlikeOrCantBeFilled(String pattern) {
    assertThatThrownBy(() -> with("spark.deploy.appIdPattern", pattern))
        .hasMessageStartingWith("spark.deploy.appIdPattern=" + pattern + " can't be used: ");
  }
}
