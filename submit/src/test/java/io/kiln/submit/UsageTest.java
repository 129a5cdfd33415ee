package io.kiln.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.launcher.SubmitOption;
import java.util.List;
import org.junit.jupiter.api.Test;

class UsageTest {
  private static final String TEXT = Usage.text(List.of(OwnMachine.values()));

  @Test
  void everyOptionIsShownWithItsMeaning() {
    for (SubmitOption option : SubmitOption.values()) {
      assertThat(TEXT.lines())
          .anyMatch(
              line ->
                  line.startsWith("  " + option.spelling() + " ") && line.contains(option.help()));
    }
  }

  @Test
  void whereAnOptionHasAnEffectIsShownAsManagersSay() {
    assertThat(TEXT.lines())
        .anyMatch(line -> line.endsWith("the application's name (default: its main class)"))
        .anyMatch(line -> line.endsWith("cores of each executor (no effect here)"))
        .anyMatch(line -> line.matches("  local-cluster\\[W,C,M] +a cluster of local processes"));
  }
}
