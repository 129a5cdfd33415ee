package io.kiln.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class OptionWordsTest {

  @Test
  void quotesGroupWordsAndBackslashesEscape() {
    assertThat(words(" -Da=1   -Db=\"two words\"\t-Dc='it \\is' -Dd=\\\"x\\ y ''"))
        .containsExactly("-Da=1", "-Db=two words", "-Dc=it \\is", "-Dd=\"x y", "");
    assertThat(words("-Dp=\"a \\\"b\\\" \\\\ \\n $HOME *\""))
        .containsExactly("-Dp=a \"b\" \\ \\n $HOME *");
    assertThat(words("  \n ")).isEmpty();
  }

  @Test
  void anOpenQuoteIsRefused() {
    assertThatThrownBy(() -> words("-Da='b c"))
        .isInstanceOf(Refusal.class)
        .as("without the line, in which passwords may be")
        .hasMessage("here has a quote ' that is never closed");
  }

  @Property(tries = 200)
  void whatIsQuotedComesBack(
      @ForAll
          List<
                  @StringLength(max = 12) @Chars({'"', '\'', '\\', ' ', '\n', '$'})
                  @CharRange(from = 'a', to = 'e') String>
              words) {
    String doubled =
        words.stream()
            .map(word -> '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
            .collect(Collectors.joining(" "));
    String single =
        words.stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining("\t"));

    assertThat(words(doubled)).isEqualTo(words);
    assertThat(words(single)).isEqualTo(words);
  }

  private static List<String> words(String line) {
    return OptionWords.split(line, "here");
  }
}
