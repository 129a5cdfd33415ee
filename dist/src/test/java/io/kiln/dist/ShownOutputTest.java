package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShownOutputTest {

  private final ShownOutput output = new ShownOutput();

  @Test
  void numbersTimesAndPathsMayBeOthers() {
    List<String> shown =
        List.of(
            "2026-11-28T18:09:42.056Z It leads",
            "Pi is roughly 3.14262",
            "spark.jars = file:///path/to/app.jar  (default)",
            "its log is …/logs/spark-ada.out",
            "\tat probe.Jobs.lambda$main$5cc1945c$1(Jobs.java:14)");

    assertThat(
            output.missing(
                shown,
                List.of(
                    "2027-01-02T03:04:05.678Z It leads",
                    "another line",
                    "Pi is roughly 3.2",
                    "spark.jars = file:///home/a/app.jar  (default)",
                    "its log is /home/a/logs/spark-b.out",
                    "\tat probe.Jobs.lambda$main$ab12cd34$2(Jobs.java:99)")))
        .isEmpty();
  }

  @Test
  void wordsMayNot() {
    assertThat(output.missing(List.of("Pi is roughly 3.14"), List.of("Pi is nearly 3.14")))
        .contains("Pi is roughly 3.14");
    assertThat(output.missing(List.of("long $1 = 10"), List.of("int $1 = 10"))).isPresent();
    assertThat(output.missing(List.of("State is now FINISHED."), List.of("State is now FAILED.")))
        .isPresent();
    assertThat(
            output.missing(
                List.of("http://127.0.0.1:9/maven failed"), List.of("http://127.0.0.1:9/x failed")))
        .isPresent();
  }

  @Test
  void linesComeInTheOrderThatIsShown() {
    assertThat(output.missing(List.of("a", "b"), List.of("b", "a"))).contains("b");
    assertThat(output.missing(List.of("a", "a"), List.of("a"))).contains("a");
  }

  @Test
  void anIdIsTheSameAgain() {
    String shown = "driver-20261128144049-0000";
    String real = "driver-20270102030405-0007";
    assertThat(output.missing(List.of("created as " + shown), List.of("created as " + real)))
        .isEmpty();

    assertThat(output.withRealIds("--status " + shown)).isEqualTo("--status " + real);
    assertThat(output.missing(List.of(shown + " ends"), List.of(real + " ends"))).isEmpty();
    assertThat(output.missing(List.of(shown + " ends"), List.of("driver-20270102030405-0008 ends")))
        .isPresent();
  }
}
