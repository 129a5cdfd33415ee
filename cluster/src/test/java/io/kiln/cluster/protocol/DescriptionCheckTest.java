package io.kiln.cluster.protocol;

import static io.kiln.cluster.Descriptions.application;
import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.base.machine.Address;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DescriptionCheckTest {

  private static Command command(String argument, Map<String, String> environment) {
    return new Command("Main", List.of(argument), environment, List.of(), List.of(), List.of());
  }

  private static ApplicationDescription with(
      Command command, Map<String, String> properties, String uiUrl) {
    return new ApplicationDescription(
        "n",
        Optional.empty(),
        Optional.empty(),
        1,
        command,
        properties,
        "u",
        uiUrl,
        ApplicationDescription.Share.DEFAULT,
        Optional.empty());
  }

  private static String problem(Map<String, String> environment) {
    String asVariables = DescriptionCheck.problem(with(command("a", environment), Map.of(), ""));
    String asSecrets = DescriptionCheck.problem(with(command("a", Map.of()), environment, ""));
    assertThat(asSecrets).isEqualTo(asVariables);
    assertThat(
            DescriptionCheck.problem(
                new DriverDescription(
                    "file:/a.jar", 1, 1, false, command("a", environment), Map.of())))
        .isEqualTo(asVariables);
    return asVariables;
  }

  @Test
  void variablesThatCanNotBeAreNamed() {
    assertThat(problem(Map.of("A", "b=c"))).isEmpty();
    assertThat(problem(Map.of("A=B", "x"))).contains("'A=B'").hasLineCount(1);
    assertThat(problem(Map.of("", "x"))).contains("its name is empty");
    assertThat(problem(Map.of("A\0", "x"))).contains("'A?'");
    assertThat(problem(Map.of("A", "x\0y"))).contains("a zero character");
  }

  @Test
  void whatIsTooLargeOrNoUrlIsRefused() {
    assertThat(DescriptionCheck.problem(application(2, 1, 100))).isEmpty();
    assertThat(DescriptionCheck.problem(application(2, 1, 0))).contains("spark.executor.memory");
    assertThat(DescriptionCheck.problem(with(command("x".repeat(1 << 17), Map.of()), Map.of(), "")))
        .contains("an argument of 131072 characters");
    Command large = command("a", Map.of("A", "x".repeat(1 << 21)));
    assertThat(DescriptionCheck.problem(with(large, Map.of(), "")))
        .contains("a master takes 1048576");
    assertThat(
            DescriptionCheck.problem(with(command("a", Map.of()), Map.of(), "javascript:alert(1)")))
        .contains("http:");
    assertThat(
            DescriptionCheck.problem(
                new DriverDescription(" ", 1, 1, false, command("a", Map.of()), Map.of())))
        .contains("its jar");
  }

  @Test
  void aWorkerHasSomethingToGiveAndIsReached() {
    Address address = new Address("h:1", "Worker");
    assertThat(DescriptionCheck.problem(new WorkerDescription(address, "h", 1, 1, 1, "")))
        .isEmpty();
    assertThat(DescriptionCheck.problem(new WorkerDescription(address, "h", 1, -1, 1, "")))
        .contains("at least one core");
    assertThat(DescriptionCheck.problem(new WorkerDescription(address, "", 70_000, 1, 1, "")))
        .contains("a host and a port");
  }
}
