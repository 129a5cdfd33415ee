package io.kiln.daemon.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kiln.api.KilnConf;
import io.kiln.base.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Changing users needs root: elsewhere, the refusal alone is tried.
@Timeout(60)
class UsersTest {
  private static final Settings WANTED =
      Settings.of(new KilnConf(false).set("spark.kiln.worker.runAsSubmitter", "true"));

  @TempDir Path directory;

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static Users asSubmitters() {
    assumeTrue(isRoot() && Files.isExecutable(Path.of("/usr/bin/setpriv")));
    return Users.of(WANTED);
  }

  @Test
  void whoeverIsNotRootCanNotDoIt() {
    assumeTrue(!isRoot());
    assertThatThrownBy(() -> Users.of(WANTED))
        .hasMessageContaining("spark.kiln.worker.runAsSubmitter=true can't be done")
        .hasMessageContaining("root");
  }

  @Test
  void withoutTheSettingEverythingIsTheWorkersOwn() throws Exception {
    Users.User user = Users.of(Settings.of(new KilnConf(false))).find("whoever; it is");
    assertThat(user.command(List.of("id"))).containsExactly("id");
    Path own = directory.resolve("work/app/0");
    assertThat(user.makeDirectory(own)).isEqualTo(own);
  }

  @Test
  void aProcessRunsAsItsSubmitterInADirectoryOfHis() throws Exception {
    Users.User user = asSubmitters().find("nobody");
    Process process =
        new ProcessBuilder(user.command(List.of("id", "-un"))).redirectErrorStream(true).start();
    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("nobody\n");
    assertThat(user.environment()).containsEntry("USER", "nobody");

    Path logs = directory.resolve("work/app/0");
    Path place = user.makeDirectory(logs);
    assertThat(Files.getOwner(place)).hasToString("nobody");
    assertThat(Files.getOwner(logs)).as("where root writes").hasToString("root");
    assertThat(Files.getOwner(logs.resolve("stdout"))).hasToString("nobody");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
        .isEqualTo("rwx------");
    Path scratch = user.makeOwnDirectory(directory.resolve("scratch"));
    assertThat(Files.getOwner(scratch)).hasToString("nobody");
  }

  @Test
  void whoIsNobodyHereOrRootIsRefused() {
    Users users = asSubmitters();
    for (String name : List.of("root", "", "a;b", "-u", "$(id)", "no-such-user-4711", "a\nb")) {
      assertThatThrownBy(() -> users.find(name))
          .as(name)
          .hasMessageStartingWith("it can't run as")
          .message()
          .satisfiesAnyOf(
              message -> assertThat(message).hasLineCount(1),
              message -> assertThat(message).contains("no-such-user-4711"));
    }
  }
}
