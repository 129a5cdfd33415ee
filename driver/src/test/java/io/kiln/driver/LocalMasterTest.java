package io.kiln.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalMasterTest {

  @Test
  void oneSlotUnlessMoreAreAskedFor() {
    assertThat(LocalMaster.parse("local")).isEqualTo(new LocalMaster(1, 1));
    assertThat(LocalMaster.parse("local[3]")).isEqualTo(new LocalMaster(3, 1));
    assertThat(LocalMaster.parse("local[ 3 , 5 ]")).isEqualTo(new LocalMaster(3, 5));
  }

  @Test
  void starTakesEveryProcessor() {
    int processors = Runtime.getRuntime().availableProcessors();
    assertThat(LocalMaster.parse("local[*]")).isEqualTo(new LocalMaster(processors, 1));
    assertThat(LocalMaster.parse("local[*,4]")).isEqualTo(new LocalMaster(processors, 4));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "local[",
        "local[]",
        "local[0]",
        "local[-1]",
        "local[2,0]",
        "local[2,]",
        "local[a]",
        "local[2,3,4]",
        "local [2]",
        "LOCAL",
        "yarn",
        "spark://host:7077",
        "local[99999999999]"
      })
  void anythingElseIsRefusedInOneLine(String master) {
    assertThatThrownBy(() -> LocalMaster.parse(master))
        .isInstanceOfSatisfying(
            KilnException.class,
            e -> {
              assertThat(e.code()).isEqualTo("MASTER_INVALID");
              assertThat(e.kind()).isEqualTo(KilnException.Kind.USER);
              assertThat(e.getMessage()).contains("'" + master + "'", "local[N]").hasLineCount(1);
            });
  }
}
