package io.kiln.standalone.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GrantedCoresTest {
  private final GrantedCores granted = new GrantedCores();

  private int slots() {
    return granted.slots(1, TimeUnit.DAYS);
  }

  @Test
  void areWhatIsThereNowEachTime() {
    granted.add(0, 4);
    granted.add(1, 8);
    assertThat(slots()).isEqualTo(12);
    granted.remove(0);
    granted.remove(0);
    assertThat(slots()).isEqualTo(8);
    granted.add(2, 16);
    assertThat(slots()).isEqualTo(24);
  }

  @Test
  void whoAsksAtOnceWaitsForTheMastersFirstWord() throws Exception {
    Thread.ofVirtual().start(() -> granted.add(0, 6));

    assertThat(slots()).isEqualTo(6);
  }

  @Test
  void areAtLeastTwoWhereThereIsNothingYet() {
    granted.nothingYet();
    assertThat(slots()).isEqualTo(2);
  }

  @Test
  void aMasterThatSaysNothingIsWaitedForOnce() {
    assertThat(granted.slots(1, TimeUnit.MILLISECONDS)).isEqualTo(2);
    assertThat(slots()).isEqualTo(2);
  }
}
