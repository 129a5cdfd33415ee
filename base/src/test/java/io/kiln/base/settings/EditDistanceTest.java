package io.kiln.base.settings;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class EditDistanceTest {

  @Test
  void countsEdits() {
    assertThat(EditDistance.between("kitten", "sitting", 9)).isEqualTo(3);
    assertThat(EditDistance.between("abcd", "abdc", 9)).isEqualTo(1);
    assertThat(EditDistance.between("", "abc", 9)).isEqualTo(3);
    assertThat(EditDistance.between("ABC", "abc", 9)).isZero();
    assertThat(EditDistance.between("kitten", "sitting", 2)).isEqualTo(3);
    assertThat(EditDistance.between("a", "abcdef", 2)).isEqualTo(3);
  }

  @Property(tries = 300)
  void isTheRecursiveDefinition(
      @ForAll @StringLength(max = 6) @CharRange(from = 'a', to = 'c') String first,
      @ForAll @StringLength(max = 6) @CharRange(from = 'a', to = 'c') String second) {
    assertThat(EditDistance.between(first, second, 10)).isEqualTo(defined(first, second));
    assertThat(EditDistance.between(first, second, 1))
        .isEqualTo(Math.min(2, defined(first, second)));
  }

  private static int defined(String first, String second) {
    if (first.isEmpty() || second.isEmpty()) {
      return first.length() + second.length();
    }
    String head = first.substring(0, first.length() - 1);
    String otherHead = second.substring(0, second.length() - 1);
    boolean same = first.charAt(head.length()) == second.charAt(otherHead.length());
    int distance =
        Math.min(
            Math.min(defined(head, second), defined(first, otherHead)) + 1,
            defined(head, otherHead) + (same ? 0 : 1));
    if (!head.isEmpty()
        && !otherHead.isEmpty()
        && first.charAt(head.length()) == second.charAt(otherHead.length() - 1)
        && first.charAt(head.length() - 1) == second.charAt(otherHead.length())) {
      distance =
          Math.min(
              distance,
              defined(
                      head.substring(0, head.length() - 1),
                      otherHead.substring(0, otherHead.length() - 1))
                  + 1);
    }
    return distance;
  }
}
