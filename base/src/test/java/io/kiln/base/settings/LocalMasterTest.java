package io.kiln.base.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.base.settings.LocalMaster.Local;
import io.kiln.base.settings.LocalMaster.LocalCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalMasterTest {

  @Test
  void localMastersSayHowManySlotsAndFailures() {
    assertThat(LocalMaster.parse("local")).hasValue(new Local(1, 1));
    assertThat(LocalMaster.parse(" local[3]")).hasValue(new Local(3, 1));
    assertThat(LocalMaster.parse("local[ 3 , 5 ]")).hasValue(new Local(3, 5));
  }

  @Test
  void starTakesEveryProcessor() {
    int processors = Runtime.getRuntime().availableProcessors();
    assertThat(LocalMaster.parse("local[*]")).hasValue(new Local(processors, 1));
    assertThat(LocalMaster.parse("local[*,4]")).hasValue(new Local(processors, 4));
  }

  @Test
  void aClusterHasWorkersCoresAndMemory() {
    assertThat(LocalMaster.parse("local-cluster[2, 1, 1024]"))
        .hasValue(new LocalCluster(2, 1, 1024));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "lokal",
        "local[",
        "local[]",
        "local[0]",
        "local[-1]",
        "local[1.5]",
        "local[two]",
        "local[2,0]",
        "local[2,]",
        "local[2,*]",
        "local[**]",
        "local[2",
        "local2]",
        "local[9999999]",
        "local[1,2,3]",
        "local [2]",
        "local-cluster",
        "local-cluster[2,1]",
        "local-cluster[*,1,1024]",
        "local-cluster[2,1,0]",
        "local-cluster[2,1,1024,1]",
        "http://x",
        "spark://host:7077",
        "LOCAL"
      })
  void anythingElseIsNone(String text) {
    assertThat(LocalMaster.parse(text)).isEmpty();
  }
}
