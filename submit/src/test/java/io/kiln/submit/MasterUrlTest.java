package io.kiln.submit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.launcher.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MasterUrlTest {

  @Test
  void whereItCanRunIsNotRefused() {
    MasterUrl.check("local[2,4]", "--master");
    MasterUrl.check("local-cluster[2,1,512]", "--master");
    MasterUrl.check("spark://h:7077,g:7077", "--master");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "lokal", "local[0]", "local[1,2,3]", "local-cluster[2]", "http://x"})
  void whatNamesNoMasterIsRefused(String text) {
    assertThatThrownBy(() -> MasterUrl.check(text, "--master"))
        .isInstanceOf(Refusal.class)
        .hasMessage(
            "--master is '%s', which names no master: use local, local[N], local[*], local[N,F], local-cluster[W,C,M] or spark://HOST:PORT[,HOST:PORT...], with whole numbers from 1"
                .formatted(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "yarn                   | YARN is not available",
        "yarn-cluster           | YARN is not available",
        "k8s://https://h:6443   | Kubernetes is not available",
        "mesos://h:5050         | Mesos, which is retired, is not available",
      })
  void aMasterOfAnotherManagerIsRefusedByItsName(String text, String message) {
    assertThatThrownBy(() -> MasterUrl.check(text, "--master"))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("--master is " + text)
        .hasMessageContaining(message);
  }
}
