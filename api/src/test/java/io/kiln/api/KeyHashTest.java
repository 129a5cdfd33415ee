package io.kiln.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.spi.KeyHash;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KeyHashTest {
  private static final RoundingMode MODE = RoundingMode.CEILING;
  private static final int BY_NAME = "CEILING".hashCode();

  record Plain(int number, String text, double fraction) {}

  record Holding(RoundingMode mode, Object other) {}

  record OwnHash(String text) {
    @Override
    public boolean equals(Object other) {
      return other instanceof OwnHash that && that.text.equalsIgnoreCase(text);
    }

    @Override
    public int hashCode() {
      return text.toLowerCase(java.util.Locale.ROOT).hashCode();
    }
  }

  static final class Bare {}

  @Test
  void withoutEnumsItIsTheOwnHashCode() {
    List<Object> keys =
        List.of(
            "a",
            1,
            1L,
            1.5,
            1.5f,
            'a',
            true,
            BigInteger.TWO,
            BigDecimal.TEN,
            LocalDate.EPOCH,
            new Plain(1, "a", 0.5),
            new Holding(null, "a"),
            new OwnHash("A"),
            Pair.of("a", 1),
            new Pair<>(null, null),
            new Triple<>(1, "a", null),
            List.of(1, "a"),
            Collections.singletonList(null),
            Set.of(1, "a"),
            Map.of(1, "a", "b", 2),
            new TreeMap<>(Map.of(1, List.of())),
            Map.entry(1, 2),
            Optional.of("a"),
            Optional.empty(),
            Optional.of(List.of(1)));
    assertThat(keys).allSatisfy(key -> assertThat(KeyHash.of(key)).isEqualTo(key.hashCode()));
    assertThat(KeyHash.of(null)).isZero();
  }

  @Test
  void enumsHashByNameWhereverTheyAre() {
    assertThat(KeyHash.of(MODE)).isEqualTo(BY_NAME);
    assertThat(KeyHash.of(new Holding(MODE, 7))).isEqualTo(31 * BY_NAME + 7);
    assertThat(KeyHash.of(new Holding(null, new Holding(MODE, null)))).isEqualTo(31 * BY_NAME);
    assertThat(KeyHash.of(List.of(MODE))).isEqualTo(31 + BY_NAME);
    assertThat(KeyHash.of(EnumSet.of(MODE))).isEqualTo(BY_NAME);
    assertThat(KeyHash.of(new LinkedHashSet<>(List.of(MODE)))).isEqualTo(BY_NAME);
    assertThat(KeyHash.of(new EnumMap<>(Map.of(MODE, 3)))).isEqualTo(BY_NAME ^ 3);
    assertThat(KeyHash.of(new HashMap<>(Map.of(3, MODE)))).isEqualTo(BY_NAME ^ 3);
    assertThat(KeyHash.of(Map.entry(MODE, 3))).isEqualTo(BY_NAME ^ 3);
    assertThat(KeyHash.of(Optional.of(MODE))).isEqualTo(BY_NAME);
    assertThat(KeyHash.of(Pair.of(MODE, 3))).isEqualTo(31 * BY_NAME + 3);
    assertThat(KeyHash.of(String.class)).isEqualTo("java.lang.String".hashCode());
  }

  @Test
  void whatHasOnlyAnIdentityIsRefused() {
    for (Object key : List.of(new Bare(), new ArrayDeque<>(), new AtomicInteger(), new Object())) {
      assertThatThrownBy(() -> KeyHash.of(key)).hasMessageContaining(key.getClass().getName());
      assertThatThrownBy(() -> KeyHash.require(key)).hasMessageContaining("make it a record");
      assertThatThrownBy(() -> KeyHash.of(List.of(Optional.of(key))))
          .hasMessageContaining("no hashCode of its own");
    }
    assertThatThrownBy(() -> KeyHash.of(Pair.of(1, new int[0]))).hasMessageContaining("an array");
    assertThatThrownBy(() -> new HashPartitioner(2).partition(new Bare()))
        .hasMessageContaining("Bare");
  }

  @Test
  void certainIsWhatHoldsOnlyValues() {
    assertThat(List.of(String.class, Plain.class, RoundingMode.class)).allMatch(KeyHash::isCertain);
    assertThat(List.of(OwnHash.class, Holding.class, Pair.class, List.class))
        .noneMatch(KeyHash::isCertain);
  }
}
