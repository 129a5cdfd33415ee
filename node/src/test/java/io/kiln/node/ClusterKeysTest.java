package io.kiln.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnConf;
import io.kiln.base.settings.Settings;
import io.kiln.network.security.Credentials;
import io.kiln.network.security.Proof;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterKeysTest {
  private static final byte[] NONCE = new byte[Proof.NONCE_BYTES];

  @TempDir Path directory;
  private final ClusterKeys keys =
      new ClusterKeys("the cluster's".getBytes(StandardCharsets.UTF_8));

  private static boolean isBelieved(Credentials prover, String name, Credentials other) {
    byte[] proof = Proof.on(NONCE, NONCE, prover).of(Proof.Side.CLIENT, name);
    return Proof.on(NONCE, NONCE, other).isOf(Proof.Side.CLIENT, name, proof);
  }

  @Test
  void eachIsBelievedInItsRoleAndInNoOther() {
    Credentials master = keys.ofMaster();
    Credentials worker = keys.ofWorkers().credentials();
    Credentials submitter = keys.ofSubmitters().credentials();
    Credentials driver = keys.ofDriver("driver-1").credentials();

    assertThat(isBelieved(worker, "worker", master)).isTrue();
    assertThat(isBelieved(submitter, "client", master)).isTrue();
    assertThat(isBelieved(submitter, "application", master)).isTrue();
    assertThat(isBelieved(driver, "driver/driver-1", master)).isTrue();
    assertThat(isBelieved(worker, "application", master)).isFalse();
    assertThat(isBelieved(worker, "driver/driver-1", master)).isFalse();
    assertThat(isBelieved(submitter, "worker", master)).isFalse();
    assertThat(isBelieved(submitter, "driver/driver-1", master)).isFalse();
    assertThat(isBelieved(driver, "driver/driver-2", master)).isFalse();
    assertThat(isBelieved(driver, "client", master)).isFalse();
    assertThat(isBelieved(driver, "worker", master)).isFalse();
    assertThat(isBelieved(master, "executor-1", master)).isFalse();
  }

  @Test
  void onlyMastersAreBelievedToBeMasters() {
    Credentials worker = keys.ofWorkers().credentials();
    Credentials submitter = keys.ofSubmitters().credentials();
    for (Credentials other : new Credentials[] {worker, submitter}) {
      assertThat(isBelieved(keys.ofMaster(), "master", other)).isTrue();
      assertThat(isBelieved(worker, "master", other)).isFalse();
      assertThat(isBelieved(submitter, "master", other)).isFalse();
      assertThat(isBelieved(worker, "worker", other)).isFalse();
      assertThat(isBelieved(submitter, "application", other)).isFalse();
    }
    ClusterKeys another = new ClusterKeys("another's".getBytes(StandardCharsets.UTF_8));
    assertThat(isBelieved(another.ofMaster(), "master", worker)).isFalse();
  }

  private Settings settings(String file, String... more) {
    KilnConf conf =
        new KilnConf(false)
            .set("spark.kiln.deploy.secretFile", directory.resolve(file + "/secret").toString());
    for (int i = 0; i < more.length; i += 2) {
      conf.set(more[i], more[i + 1]);
    }
    return Settings.of(conf);
  }

  @Test
  void othersNeedTheFilesOfTheirRolesAlone() throws Exception {
    var made = ClusterKeys.ofMaster(settings("master"));
    assertThat(made).isPresent();
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    Path own = directory.resolve("master/secret.worker.key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
        .isEqualTo("rw-------");
    Files.copy(own, elsewhere.resolve("secret.worker.key"));
    Files.setPosixFilePermissions(
        elsewhere.resolve("secret.worker.key"), PosixFilePermissions.fromString("rw-------"));

    RoleKey worker = KeyFiles.ofWorker(settings("elsewhere")).orElseThrow();
    assertThat(worker.text()).isEqualTo(made.get().ofWorkers().text());
    assertThatThrownBy(() -> KeyFiles.ofSubmitter(settings("elsewhere")))
        .hasMessageContaining("secret.submit.key")
        .hasMessageContaining("copy the file from the master's host")
        .hasMessageContaining("spark.kiln.deploy.submitKeyFile");

    Path named = directory.resolve("master/secret.submit.key");
    assertThat(
            KeyFiles.ofSubmitter(
                    settings("elsewhere", "spark.kiln.deploy.submitKeyFile", named.toString()))
                .orElseThrow()
                .text())
        .isEqualTo(made.get().ofSubmitters().text());
  }

  @Test
  void aKeyThatIsNoneIsNamed() throws Exception {
    Path broken = Files.writeString(directory.resolve("broken"), "abc\n");
    Files.setPosixFilePermissions(broken, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(
            () ->
                KeyFiles.ofWorker(
                    settings("x", "spark.kiln.deploy.workerKeyFile", broken.toString())))
        .hasMessageContaining(broken + " holds no key");
    assertThat(RoleKey.parse("00:zz")).isEmpty();
    assertThat(RoleKey.parse(keys.ofDriver("d").text()).orElseThrow().text())
        .isEqualTo(keys.ofDriver("d").text());
  }

  /// Its holder knows nothing by which it could be a master.
  @Test
  void noRoleIsToldTheSecretOrAnothersKey() {
    assertThat(keys.ofWorkers().keyText()).isNotEqualTo(keys.ofSubmitters().keyText());
    assertThat(HexFormat.of().formatHex(keys.ofMasters()))
        .isNotIn(
            keys.ofWorkers().keyText(),
            keys.ofSubmitters().keyText(),
            keys.ofDriver("driver-1").keyText());
    assertThat(keys.ofWorkers().toString()).doesNotContain(keys.ofWorkers().keyText());
    assertThat(keys.toString()).isEqualTo("ClusterKeys[...]");
  }
}
