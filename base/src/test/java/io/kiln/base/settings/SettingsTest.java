package io.kiln.base.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {

  private static Settings settings(String... keysAndValues) {
    KilnConf conf = new KilnConf(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return Settings.of(conf);
  }

  @Test
  void givesDefaultsOfTheRightType() {
    Settings settings = settings();

    assertThat(settings.get(ApplicationSettings.MAX_RESULT_SIZE)).isEqualTo(1L << 30);
    assertThat(settings.get(CleanerSettings.PERIODIC_GC_INTERVAL))
        .isEqualTo(Duration.ofMinutes(30));
    assertThat(settings.get(MemorySettings.FRACTION)).isEqualTo(0.6);
    assertThat(settings.get(ShuffleSettings.COMPRESS)).isTrue();
    assertThat(settings.get(DependencySettings.JARS)).isEmpty();
    assertThat(settings.find(ApplicationSettings.MASTER)).isEmpty();
  }

  @Test
  void givesWhatTheUserSet() {
    Settings settings =
        settings(
            "spark.driver.maxResultSize", "12m",
            "spark.jars", " a.jar,,b.jar ,",
            "spark.scheduler.mode", "fair",
            "spark.serializer", "org.apache.spark.serializer.KryoSerializer");

    assertThat(settings.get(ApplicationSettings.MAX_RESULT_SIZE)).isEqualTo(12L << 20);
    assertThat(settings.get(DependencySettings.JARS)).isEqualTo(List.of("a.jar", "b.jar"));
    assertThat(settings.get(SchedulerSettings.MODE)).isEqualTo("FAIR");
    assertThat(settings.get(StorageSettings.SERIALIZER)).isEqualTo("kryo");
  }

  @Test
  void understandsFormerKeysInTheirUnits() {
    assertThat(settings("spark.shuffle.file.buffer.kb", "64k").get(ShuffleSettings.FILE_BUFFER))
        .isEqualTo(64L << 10);
    Settings both =
        settings("spark.shuffle.file.buffer.kb", "1", "spark.shuffle.file.buffer", "8k");
    assertThat(both.get(ShuffleSettings.FILE_BUFFER)).isEqualTo(8L << 10);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "spark.driver.maxResultSize|lots|expected a size: a whole number with b, k, m, g, t or p"
            + " (without one: b); for example spark.driver.maxResultSize=1g",
        "spark.memory.fraction|1.5|expected a number from 0.0 to 1.0;"
            + " for example spark.memory.fraction=0.6",
        "spark.memory.fraction|NaN|expected a number from 0.0 to 1.0;"
            + " for example spark.memory.fraction=0.6",
        "spark.shuffle.compress|yes|expected true or false;"
            + " for example spark.shuffle.compress=true",
        "spark.scheduler.mode|fast|expected one of FIFO, FAIR;"
            + " for example spark.scheduler.mode=FIFO",
        "spark.io.compression.codec|snappy|expected one of lz4, zstd;"
            + " for example spark.io.compression.codec=lz4",
        "spark.stage.maxConsecutiveAttempts|0|expected a whole number of at least 1;"
            + " for example spark.stage.maxConsecutiveAttempts=4",
        "spark.cleaner.periodicGC.interval|-1s|expected a time: a whole number with us, ms, s, min,"
            + " h or d (without one: s); for example spark.cleaner.periodicGC.interval=30min",
        "spark.shuffle.file.buffer|2g|expected a size of at most 2147483639b: a whole number with"
            + " b, k, m, g, t or p (without one: k); for example spark.shuffle.file.buffer=32k",
        "spark.default.parallelism|many|expected a whole number of at least 1;"
            + " for example spark.default.parallelism=4"
      })
  void refusesWhatDoesNotParseInOneClearLine(String key, String value, String rest) {
    assertThatExceptionOfType(KilnException.class)
        .isThrownBy(() -> SettingsCheck.warnings(settings(key, value)))
        .withMessage(key + "=" + value + " can't be used: " + rest)
        .satisfies(
            e -> {
              assertThat(e.code()).isEqualTo("SETTING_INVALID");
              assertThat(e.kind()).isEqualTo(KilnException.Kind.USER);
            });
  }

  @Test
  void insistsThatASettingWithoutDefaultIsAskedForAsSuch() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings().get(ApplicationSettings.MASTER))
        .withMessageContaining("spark.master");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "spark.shufle.compress|spark.shufle.compress is not a known setting;"
            + " did you mean spark.shuffle.compress?",
        "spark.default.paralelism|spark.default.paralelism is not a known setting;"
            + " did you mean spark.default.parallelism?",
        "spark.memory.Fraction|spark.memory.Fraction is not a known setting;"
            + " did you mean spark.memory.fraction?",
        "spark.executor.memoryOverhead|spark.executor.memoryOverhead has no effect yet:"
            + " it belongs to running on a cluster",
        "spark.ssl.standalone.port|spark.ssl.standalone.port has no effect yet:"
            + " masters and workers have HTTPS on the ports that they have for HTTP",
        "spark.kubernetes.driver.label.team|spark.kubernetes.driver.label.team has no effect yet:"
            + " it belongs to running on Kubernetes",
        "spark.speculatoin|spark.speculatoin is not a known setting; did you mean"
            + " spark.speculation?",
        "spark.shuffle.file.buffer.kb|spark.shuffle.file.buffer.kb is the former name of"
            + " spark.shuffle.file.buffer; use that"
      })
  void warnsOfKeysThatDoNothingOrAreOld(String key, String warning) {
    assertThat(SettingsCheck.warnings(settings(key, "1"))).containsExactly(warning);
  }

  @Test
  void leavesUsersOwnKeysAlone() {
    assertThat(
            SettingsCheck.warnings(
                settings(
                    "spark.myjob.input", "x",
                    "spark.hadoop.fs.defaultFS", "hdfs://a",
                    "spark.executorEnv.HOME", "/",
                    "spark.driver.maxResultSize", "1g")))
        .isEmpty();
  }
}
