package io.kiln.base.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.base.settings.ByteSize.Unit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "17b,17",
    "64k,65536",
    "64KB,65536",
    "64kib,65536",
    "512m,536870912",
    "1g,1073741824",
    "1 G,1073741824",
    "3t,3298534883328",
    "2p,2251799813685248",
    "8191p,9222246136947933184"
  })
  void readsNumbersAndUnits(String text, long bytes) {
    assertThat(ByteSize.parse(text, Unit.BYTES)).isEqualTo(bytes);
  }

  @Test
  void countsPlainNumbersInTheDefaultUnit() {
    assertThat(ByteSize.parse("5", Unit.BYTES)).isEqualTo(5);
    assertThat(ByteSize.parse(" 5 ", Unit.KIBIBYTES)).isEqualTo(5 << 10);
    assertThat(ByteSize.parse("5", Unit.MEBIBYTES)).isEqualTo(5 << 20);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "m",
        "-1",
        "-1m",
        "1.5g",
        "1x",
        "1 2",
        "0x10",
        "1gg",
        "bb",
        "1ib",
        "8192p",
        "9223372036854775807k",
        "9223372036854775808",
        "99999999999999999999",
        "١"
      })
  void refusesWhatIsNoSize(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text, Unit.BYTES))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Property
  void readsWhatItWrites(@ForAll @LongRange(min = 0, max = Long.MAX_VALUE) long bytes) {
    assertThat(ByteSize.parse(ByteSize.format(bytes), Unit.PEBIBYTES)).isEqualTo(bytes);
  }

  @Test
  void writesTheShortestForm() {
    assertThat(ByteSize.format(1L << 30)).isEqualTo("1g");
    assertThat(ByteSize.format(1536L << 20)).isEqualTo("1536m");
    assertThat(ByteSize.format(1025)).isEqualTo("1025b");
    assertThat(ByteSize.format(0)).isEqualTo("0b");
  }
}
