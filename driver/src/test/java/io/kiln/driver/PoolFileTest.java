package io.kiln.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.scheduler.PoolSpec;
import io.kiln.scheduler.SchedulingMode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolFileTest {

  private static List<PoolSpec> read(String xml) {
    return PoolFile.read(
        new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)), "pools.xml");
  }

  @Test
  void readsPoolsAndFillsInWhatIsMissing() {
    assertThat(
            read(
                """
                <?xml version="1.0"?>
                <allocations>
                  <pool name="production">
                    <schedulingMode>FAIR</schedulingMode>
                    <weight>3</weight>
                    <minShare> 2 </minShare>
                  </pool>
                  <pool name="test"/>
                </allocations>
                """))
        .containsExactly(
            new PoolSpec("production", SchedulingMode.FAIR, 3, 2),
            new PoolSpec("test", SchedulingMode.FIFO, 1, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<allocations><pool/></allocations>",
        "<allocations><pool name='a'><weight>0</weight></pool></allocations>",
        "<allocations><pool name='a'><weight>x</weight></pool></allocations>",
        "<allocations><pool name='a'><minShare>-1</minShare></pool></allocations>",
        "<allocations><pool name='a'><schedulingMode>LIFO</schedulingMode></pool></allocations>",
        "<allocations>",
        "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><a>&e;</a>",
      })
  void whatCanNotBeUsedIsRefusedInOneLine(String xml) {
    assertThatThrownBy(() -> read(xml))
        .isInstanceOfSatisfying(
            KilnException.class,
            e -> {
              assertThat(e.code()).isEqualTo("SETTING_INVALID");
              assertThat(e.getMessage()).contains("pools.xml").hasLineCount(1);
            });
  }
}
