package io.kiln.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.launcher.SubmitSettings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubmitSettingsTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("SPARK_DRIVER_MEMORY", "1g");
  private static final String KEY = "spark.driver.memory";

  @TempDir Path directory;
  private Path defaults;
  private Path file;

  @BeforeEach
  void writeFiles() throws IOException {
    defaults = directory.resolve("spark-defaults.conf");
    file = directory.resolve("mine.conf");
    Files.writeString(
        defaults, "spark.driver.memory   2g \nspark.only.default d\n# no\n\nspark.eq=a b\n");
    Files.writeString(file, "spark.driver.memory 3g\nspark.name é\n");
  }

  @Test
  void theEnvironmentIsWeakerThanTheDefaultsFile() {
    assertThat(resolve().all().get(KEY)).isEqualTo(new Setting("2g", defaults.toString()));
    assertThat(resolve().value("spark.eq")).isEqualTo("a b");
  }

  @Test
  void aPropertiesFileTakesThePlaceOfTheDefaults() {
    SubmitSettings settings = resolve("--properties-file", file.toString());

    assertThat(settings.value(KEY)).isEqualTo("3g");
    assertThat(settings.value("spark.name")).isEqualTo("é");
    assertThat(settings.value("spark.only.default")).isNull();
  }

  @Test
  void withTheDefaultsLoadedTooThePropertiesFileIsStronger() {
    SubmitSettings settings =
        resolve("--load-spark-defaults", "--properties-file", file.toString());

    assertThat(settings.value(KEY)).isEqualTo("3g");
    assertThat(settings.value("spark.only.default")).isEqualTo("d");
  }

  @Test
  void confIsStrongerThanFilesAndAnOptionStrongerThanConf() {
    assertThat(resolve("--properties-file", file.toString(), "--conf", KEY + "=4g").value(KEY))
        .isEqualTo("4g");
    assertThat(resolve("--driver-memory", "5g", "--conf", KEY + "=4g").all().get(KEY))
        .isEqualTo(new Setting("5g", "--driver-memory"));
  }

  @Test
  void theEnvironmentHoldsWhereNothingElseDoes() throws IOException {
    Files.delete(defaults);

    assertThat(resolve().all())
        .containsOnly(
            Map.entry(KEY, new Setting("1g", "SPARK_DRIVER_MEMORY")),
            Map.entry("spark.master", new Setting("local[*]", "default")));
  }

  @Test
  void theLastConfOfAKeyHoldsWithAWarning() {
    SubmitSettings settings = resolve("-c", "spark.a=1", "-c", "spark.a=2");

    assertThat(settings.value("spark.a")).isEqualTo("2");
    assertThat(settings.warnings()).singleElement().asString().contains("spark.a more than once");
  }

  @Test
  void aKeyOutsideSparkIsIgnoredWithAWarning() {
    SubmitSettings settings =
        resolve("-c", "fs.defaultFS=hdfs://x", "-c", "mapred.x=1", "-c", "foo=1");

    assertThat(settings.all()).doesNotContainKeys("fs.defaultFS", "foo");
    assertThat(settings.warnings())
        .hasSize(3)
        .anyMatch(warning -> warning.contains("did you mean spark.hadoop.fs.defaultFS?"))
        .anyMatch(warning -> warning.contains("did you mean spark.hadoop.mapred.x?"))
        .anyMatch(
            warning -> warning.endsWith("Ignoring foo of --conf: it does not begin with spark."));
  }

  @ParameterizedTest
  @CsvSource({
    "--executor-cores, 0",
    "--executor-cores, two",
    "--driver-cores, -1",
    "--num-executors, 1.5",
    "--total-executor-cores, 99999999999",
    "--driver-memory, 0g",
    "--driver-memory, 1x",
    "--executor-memory, lots",
  })
  void aNumberOrSizeThatCannotBeIsRefusedByTheNameItWasGivenBy(String option, String value) {
    assertThatThrownBy(() -> resolve(option, value))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith(option + " must be a")
        .hasMessageContaining("'" + value + "'");
  }

  @Test
  void aBadSizeIsRefusedFromEverySource() throws IOException {
    assertThatThrownBy(() -> resolve("--conf", KEY + "=x"))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith(KEY + " must be a size");
    Files.writeString(defaults, KEY + " -1g\n");
    assertThatThrownBy(this::resolve).isInstanceOf(Refusal.class).hasMessageContaining("'-1g'");
  }

  @Test
  void aPropertiesFileThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> resolve("--properties-file", "/no/such"))
        .isInstanceOf(Refusal.class)
        .hasMessage("The properties file /no/such does not exist");
  }

  private SubmitSettings resolve(String... words) {
    return SubmitSettings.resolve(
        CommandLine.parse(List.of(words)), ENVIRONMENT, directory, new EveryOptionApplies());
  }
}
