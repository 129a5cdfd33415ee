package io.kiln.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import org.junit.jupiter.api.Test;

class ZeroValueTest {
  private record Link(Link next) implements Serializable {
    static Link chain(int length) {
      Link link = null;
      for (int i = 0; i < length; i++) {
        link = new Link(link);
      }
      return link;
    }

    int length() {
      int length = 0;
      for (Link link = this; link != null; link = link.next) {
        length++;
      }
      return length;
    }
  }

  @Test
  void aZeroThatIsNestedDeeplyIsCopiedWhole() {
    ZeroValue<Link> zero = ZeroValue.of(Link.chain(50_000), "fold");

    assertThat(zero.fresh().length()).isEqualTo(50_000);
  }
}
