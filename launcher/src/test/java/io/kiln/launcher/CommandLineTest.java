package io.kiln.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CommandLineTest {

  @ParameterizedTest
  @EnumSource
  void everyOptionIsTakenInBothSpellings(SubmitOption option) {
    if (option == SubmitOption.CONF) {
      return;
    }
    if (option.takesValue()) {
      assertThat(parse(option.spelling(), "a=b c", "app.jar").value(option)).isEqualTo("a=b c");
      assertThat(parse(option.spelling() + "=a=b c", "app.jar").value(option)).isEqualTo("a=b c");
    } else {
      assertThat(parse(option.spelling(), "app.jar").has(option)).isTrue();
      assertRefused("takes no value", option.spelling() + "=x");
    }
  }

  @Test
  void whatFollowsTheResourceIsTheApplications() {
    CommandLine line = parse("--name", "n", "app.jar", "--master", "x", "", "-c");

    assertThat(line.arguments()).containsExactly("app.jar", "--master", "x", "", "-c");
    assertThat(line.has(SubmitOption.MASTER)).isFalse();
  }

  @Test
  void confsKeepTheirOrderAndTheirEqualsSigns() {
    assertThat(parse("--conf", "a=1=2", "-c", "b=", "--conf=c= x ").confs())
        .containsExactly(
            new CommandLine.Conf("a", "1=2"),
            new CommandLine.Conf("b", ""),
            new CommandLine.Conf("c", " x "));
  }

  @Test
  void theLastOfOneOptionHolds() {
    assertThat(parse("--name", "a", "--name=b").value(SubmitOption.NAME)).isEqualTo("b");
  }

  @ParameterizedTest
  @CsvSource({
    "--mastr,       did you mean --master?",
    "--driver-mem,  did you mean --driver-memory?",
    "--Class,       did you mean --class?",
    "-x,            --help",
    "--frobnicate,  --help",
  })
  void anUnknownOptionIsRefusedWithTheNearest(String word, String hint) {
    assertRefused(hint, word, "value");
    assertRefused("Unknown option " + word, word + "=value");
  }

  @Test
  void aMissingValueIsRefused() {
    assertRefused("--master needs a value", "--master");
    assertRefused("needs KEY=VALUE, but was given 'spark.x'", "--conf", "spark.x");
    assertRefused("needs KEY=VALUE", "--conf", "=x");
  }

  private static CommandLine parse(String... words) {
    return CommandLine.parse(List.of(words));
  }

  private static void assertRefused(String message, String... words) {
    assertThatThrownBy(() -> parse(words))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }
}
