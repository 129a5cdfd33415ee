package io.kiln.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.base.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterSecretTest {
  @TempDir Path directory;

  private Settings settings(String... more) {
    KilnConf conf = new KilnConf(false).set("spark.kiln.deploy.secretFile", file().toString());
    for (int i = 0; i < more.length; i += 2) {
      conf.set(more[i], more[i + 1]);
    }
    return Settings.of(conf);
  }

  private Path file() {
    return directory.resolve("own/secret");
  }

  @Test
  void theFirstMasterMakesItAndAllOthersReadIt() throws IOException {
    var made = ClusterSecret.orNew(settings());

    assertThat(made).isPresent();
    assertThat(made.get().text()).hasSize(64);
    assertThat(ClusterSecret.orNew(settings())).isEqualTo(made);
    assertThat(ClusterSecret.find(settings())).isEqualTo(made);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    try (var files = Files.list(file().getParent())) {
      assertThat(files).as("nothing is left beside it").hasSize(1);
    }
  }

  @Test
  void whoHasNoneIsToldWhatToDo() {
    assertThatThrownBy(() -> ClusterSecret.find(settings()))
        .isInstanceOf(KilnException.class)
        .hasMessageContaining(file().toString())
        .hasMessageContaining("copy the file from the master's host");
  }

  @Test
  void whatOthersCanReadIsNotUsed() throws IOException {
    var _ = ClusterSecret.orNew(settings());
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));

    assertThatThrownBy(() -> ClusterSecret.find(settings())).hasMessageContaining("chmod 600");
  }

  @Test
  void settingsComeFirst() {
    assertThat(ClusterSecret.find(settings("spark.authenticate.secret", "s")).get().text())
        .isEqualTo("s");
    assertThat(ClusterSecret.orNew(settings("spark.authenticate", "false"))).isEmpty();
    assertThat(file()).doesNotExist();
  }
}
