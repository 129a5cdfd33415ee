package io.kiln.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.launcher.SubmitOption;
import org.junit.jupiter.api.Test;

class UsageTest {

  @Test
  void everyOptionIsShownWithItsMeaning() {
    for (SubmitOption option : SubmitOption.values()) {
      assertThat(Usage.text().lines())
          .anyMatch(
              line ->
                  line.startsWith("  " + option.spelling() + " ") && line.endsWith(option.help()));
    }
  }
}
