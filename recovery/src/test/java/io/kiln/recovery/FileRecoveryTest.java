package io.kiln.recovery;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

class FileRecoveryTest extends RecoveryContractTest {
  @TempDir Path directory;

  @Override
  protected List<Map<String, String>> masters() {
    return List.of(
        Map.of(
            "spark.deploy.recoveryMode",
            "FILESYSTEM",
            "spark.deploy.recoveryDirectory",
            directory.toString()));
  }

  @Override
  protected boolean hasStandby() {
    return false;
  }
}
