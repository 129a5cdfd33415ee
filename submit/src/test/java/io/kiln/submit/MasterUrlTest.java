package io.kiln.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.launcher.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MasterUrlTest {

  @Test
  void localMastersSayHowManyThreadsAndTries() {
    assertThat(parse("local")).isEqualTo(new MasterUrl("local", 1, 1));
    assertThat(parse("local[3]")).isEqualTo(new MasterUrl("local[3]", 3, 1));
    assertThat(parse("local[*]")).isEqualTo(new MasterUrl("local[*]", 0, 1));
    assertThat(parse("local[2,4]")).isEqualTo(new MasterUrl("local[2,4]", 2, 4));
    assertThat(parse("local[ * , 5 ]")).isEqualTo(new MasterUrl("local[ * , 5 ]", 0, 5));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "lokal",
        "local[]",
        "local[0]",
        "local[-1]",
        "local[1.5]",
        "local[two]",
        "local[2,0]",
        "local[2,]",
        "local[**]",
        "local[2",
        "local2]",
        "local[9999999]",
        "local[1,2,3]",
        "http://x",
        "LOCAL"
      })
  void whatNamesNoMasterIsRefused(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(Refusal.class)
        .hasMessage(
            "--master is '%s', which names no master: use local, local[N], local[*] or local[N,F], with N and F from 1"
                .formatted(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "spark://h:7077         | standalone cluster manager is not available in this version",
        "local-cluster[2,1,512] | cluster of local processes is not available",
        "yarn                   | YARN is not available",
        "yarn-cluster           | YARN is not available",
        "k8s://https://h:6443   | Kubernetes is not available",
        "mesos://h:5050         | Mesos, which is retired, is not available",
      })
  void aMasterOfAnotherManagerIsRefusedByItsName(String text, String message) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("--master is " + text)
        .hasMessageContaining(message);
  }

  private static MasterUrl parse(String text) {
    return MasterUrl.parse(text, "--master");
  }
}
