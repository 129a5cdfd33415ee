package io.kiln.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessSecretsTest {
  private static final Map<String, String> SECRETS = Map.of("_SPARK_A", "sésame", "_SPARK_B", "");

  private static byte[] written() throws IOException {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ProcessSecrets.write(SECRETS, output);
    return output.toByteArray();
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    assertThat(ProcessSecrets.read(new ByteArrayInputStream(written()))).isEqualTo(SECRETS);
  }

  /// Whoever hands them over may be killed meanwhile.
  @Test
  void whatIsCutOffAnywhereIsRefused() throws IOException {
    byte[] whole = written();
    for (int length = 0; length < whole.length; length++) {
      ByteArrayInputStream part = new ByteArrayInputStream(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> ProcessSecrets.read(part))
          .hasMessageContaining("its standard input ends before them");
    }
  }
}
