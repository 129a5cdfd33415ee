package io.kiln.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.launcher.CommandLine;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.SubmitSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterManagersTest {
  private static final String FORMS =
      "use local, local[N], local[*], local[N,F], local-cluster[W,C,M] or"
          + " spark://HOST:PORT[,HOST:PORT...]";
  private static final String NUMBERS = ", with whole numbers from 1";
  private static final String ABSENT = " is not available in this version; " + FORMS;
  private static final String LOCAL = "local, local[N], local[*], local[N,F]";
  private static final String NONE = "', which names no master: use ";

  private static SubmitSettings settings(String master) {
    return SubmissionRules.settings(
        CommandLine.parse(List.of("--master", master, "app.jar")),
        Map.of(),
        Path.of("none"),
        new ClusterManagers());
  }

  @ParameterizedTest
  @ValueSource(strings = {"local[2,4]", "local-cluster[2,1,512]", "spark://h:7077,g:7077"})
  void whereItCanRunIsNotRefused(String master) {
    assertThat(settings(master).value("spark.master")).isEqualTo(master);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lokal | --master is 'lokal', which names no master: " + FORMS + NUMBERS,
        "http://x | --master is 'http://x', which names no master: " + FORMS + NUMBERS,
        "yarn | --master is yarn: YARN" + ABSENT,
        "k8s://https://h:1 | --master is k8s://https://h:1: Kubernetes" + ABSENT,
        "mesos://h:5050 | --master is mesos://h:5050: Mesos, which is retired," + ABSENT,
        "local[0] | --master is 'local[0]" + NONE + LOCAL + NUMBERS,
        "local[1,2,3] | --master is 'local[1,2,3]" + NONE + LOCAL + NUMBERS,
        "local-cluster[2] | --master is 'local-cluster[2]"
            + NONE
            + "local-cluster[W,C,M]"
            + NUMBERS,
        "spark://host | --master is 'spark://host"
            + NONE
            + "spark://HOST:PORT[,HOST:PORT...]"
            + NUMBERS,
      })
  void whereNothingRunsIsRefusedInOneLineThatSaysWhatIsRight(String master, String message) {
    assertThatThrownBy(() -> settings(master)).isInstanceOf(Refusal.class).hasMessage(message);
  }
}
