package io.kiln.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.launcher.CommandLine;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.SubmitOption;
import io.kiln.launcher.SubmitSettings;
import io.kiln.launcher.SubmitSettings.Setting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Each option with each cluster manager in each deploy mode, against `option-matrix.tsv`: the
/// setting that it becomes, `acts` if it does its work otherwise, `ignored`, or `refused`. Rows
/// whose value is `RESOURCE` are of what is run.
class OptionMatrixTest {

  /// What a test of the option --conf sets by it besides.
  private static final Set<String> PLACE = Set.of("spark.master", "spark.submit.deployMode");

  @TempDir static Path directory;

  private record Cell(String option, String value, String master, String mode, String expected) {
    @Override
    public String toString() {
      return option + " on " + master + " in " + mode + " mode: " + expected;
    }
  }

  @BeforeAll
  static void writeFiles() throws IOException {
    Files.createFile(directory.resolve("keytab"));
    Files.createFile(directory.resolve("properties"));
  }

  static List<Cell> cells() throws IOException {
    Map<String, String> masters =
        Map.of(
            "local", "local[2]",
            "local-cluster", "local-cluster[2,1,512]",
            "standalone", "spark://h:7077");
    List<List<String>> rows = rows();
    List<Cell> cells = new ArrayList<>();
    for (List<String> row : rows.subList(1, rows.size())) {
      for (int column = 2; column < row.size(); column++) {
        String[] place = rows.getFirst().get(column).split(" ");
        cells.add(
            new Cell(row.get(0), row.get(1), masters.get(place[0]), place[1], row.get(column)));
      }
    }
    return cells;
  }

  @ParameterizedTest
  @MethodSource("cells")
  void eachOptionDoesWhatTheTableSays(Cell cell) {
    if (cell.expected().equals("refused")) {
      assertThatThrownBy(() -> settings(words(cell)))
          .isInstanceOf(Refusal.class)
          .hasMessageNotContaining("\n");
      return;
    }
    SubmitSettings settings = settings(words(cell));
    Set<String> byOption =
        settings.all().entrySet().stream()
            .filter(entry -> entry.getValue().origin().equals(cell.option()))
            .map(Map.Entry::getKey)
            .filter(key -> !cell.option().equals("--conf") || !PLACE.contains(key))
            .collect(Collectors.toSet());

    switch (cell.expected()) {
      case "acts" -> {
        assertThat(byOption).isEmpty();
        assertThat(settings.warnings()).isEmpty();
      }
      case "ignored" -> {
        assertThat(byOption).isEmpty();
        assertThat(settings.warnings())
            .anyMatch(warning -> warning.startsWith("Ignoring " + cell.option() + ": "));
      }
      default -> {
        assertThat(byOption).containsExactly(cell.expected());
        assertThat(settings.warnings()).isEmpty();
      }
    }
  }

  @Test
  void noOptionIsForgottenInTheTable() throws IOException {
    Set<String> inTable = new TreeSet<>();
    for (List<String> row : rows()) {
      if (row.getFirst().startsWith("--")) {
        inTable.add(row.getFirst());
      }
      assertThat(row).hasSize(8);
    }
    Set<String> options = new TreeSet<>();
    for (SubmitOption option : SubmitOption.values()) {
      options.add(option.spelling());
    }
    assertThat(inTable).isEqualTo(options);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--master mesos://h:5050                    | Mesos, which is retired,",
        "--principal p                              | --principal needs the keytab of that"
            + " principal: add --keytab FILE",
        "--keytab KEYTAB                            | --keytab needs to know whose keytab it is:"
            + " add --principal NAME",
        "--principal p --keytab none                | --keytab names none, which does not exist",
        "--principal p --keytab KEYTAB --proxy-user u | --proxy-user can't be used with"
            + " --principal",
        "--num-executors many                       | --num-executors must be a whole number",
        "--executor-cores 0                         | --executor-cores must be a whole number",
        "--executor-memory -1g                      | --executor-memory must be a size above zero",
        "--driver-cores 1.5 --deploy-mode cluster --master spark://h:1 | --driver-cores must be a"
            + " whole number from 1, but is '1.5'",
        "--conf spark.cores.max=x                   | spark.cores.max must be a whole number",
        "--deploy-mode cluster --master local       | --deploy-mode is cluster, but local runs in"
            + " this process",
      })
  void whatContradictsItselfIsRefused(String options, String message) {
    List<String> words = new ArrayList<>(List.of(value(options).split(" ")));
    words.add("app.jar");

    assertThatThrownBy(() -> settings(words))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(message);
  }

  @Test
  void anIgnoredOptionLeavesTheSettingOfAnotherSource() {
    SubmitSettings settings =
        settings(List.of("--conf", "spark.cores.max=3", "--total-executor-cores", "5", "app.jar"));

    assertThat(settings.all()).containsEntry("spark.cores.max", new Setting("3", "--conf"));
    assertThat(settings.warnings())
        .containsExactly("Ignoring --total-executor-cores: it has no effect on a local master");
  }

  @Test
  void theWarningNamesTheModeWhereOnlyThatIsWrong() {
    assertThat(settings(List.of("--master", "spark://h:1", "--supervise", "app.jar")).warnings())
        .containsExactly(
            "Ignoring --supervise: it has no effect in client mode on the standalone cluster"
                + " manager");
  }

  @Test
  void whatAnActionDoesNotLookAtIsWarnedOf() {
    assertThat(
            settings(
                    List.of(
                        "--master", "spark://h:1", "--kill", "d", "--supervise", "app.jar", "x"))
                .warnings())
        .contains(
            "Ignoring --supervise: --kill starts nothing",
            "Ignoring app.jar and what follows: --kill starts nothing");
  }

  @Test
  void aSecretOnTheCommandLineIsWarnedOf() {
    assertThat(
            settings(List.of("-c", "spark.hadoop.fs.azure.account.key.x=hush", "app.jar"))
                .warnings())
        .singleElement()
        .asString()
        .contains("spark.hadoop.fs.azure.account.key.x", "--properties-file")
        .doesNotContain("hush");
    assertThat(settings(List.of("--driver-java-options", "-Dpassword=hush", "app.jar")).warnings())
        .singleElement()
        .asString()
        .contains("--driver-java-options")
        .doesNotContain("hush");
  }

  private static List<String> words(Cell cell) {
    List<String> words = new ArrayList<>(List.of("-c", "spark.submit.deployMode=" + cell.mode()));
    if (!cell.option().equals("--master")) {
      words.addAll(List.of("--conf", "spark.master=" + cell.master()));
    }
    if (cell.value().equals("RESOURCE")) {
      words.add(cell.option());
      return words;
    }
    words.add(cell.option());
    if (!cell.value().isEmpty()) {
      words.add(value(cell.value()).replace("MASTER", cell.master()).replace("MODE", cell.mode()));
    }
    words.addAll(partner(cell));
    if (!List.of("--kill", "--status").contains(cell.option())) {
      words.add("app.jar");
    }
    return words;
  }

  /// Where a principal or a keytab counts, it needs the other.
  private static List<String> partner(Cell cell) {
    if (cell.expected().equals("ignored")) {
      return List.of();
    }
    return switch (cell.option()) {
      case "--principal" -> List.of("-c", "spark.kerberos.keytab=" + directory.resolve("keytab"));
      case "--keytab" -> List.of("-c", "spark.kerberos.principal=p");
      default -> List.of();
    };
  }

  private static String value(String text) {
    return text.replace("KEYTAB", directory.resolve("keytab").toString())
        .replace("PROPERTIES", directory.resolve("properties").toString());
  }

  private static SubmitSettings settings(List<String> words) {
    return SubmissionRules.settings(
        CommandLine.parse(words), Map.of(), directory.resolve("conf"), new ClusterManagers());
  }

  private static List<List<String>> rows() throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                OptionMatrixTest.class.getResourceAsStream("option-matrix.tsv"),
                StandardCharsets.UTF_8))) {
      return reader.lines().map(line -> List.of(line.split("\t", -1))).toList();
    }
  }
}
