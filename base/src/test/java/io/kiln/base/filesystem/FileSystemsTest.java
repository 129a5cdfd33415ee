package io.kiln.base.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Here is no provider of other file systems.
class FileSystemsTest {
  private final FileSystems files = FileSystems.of(Map.of("spark.app.name", "x"));

  @Test
  void localPathsAreAbsoluteWithoutScheme() {
    assertThat(files.absolute("a")).isEqualTo(Path.of("a").toAbsolutePath().toString());
    assertThat(files.absolute("file:/a//b/../c")).isEqualTo("/a/c");
    assertThat(files.at("/a/c")).isSameAs(FileSystems.local());
    assertThat(FileSystems.local().uri("/a/c")).isEqualTo("file:/a/c");
  }

  @Test
  void aSchemeThatNobodyHasIsNamed() {
    assertThatThrownBy(() -> files.absolute("hdfs://host/data"))
        .isInstanceOfSatisfying(
            KilnException.class, e -> assertThat(e.code()).isEqualTo("SCHEME_UNSUPPORTED"))
        .hasMessageContainingAll("'hdfs'", "hdfs://host/data", "kiln-hadoop");
  }

  @Test
  void theDefaultIsLocalUnlessSettingsOrASiteFileSayElse(@TempDir Path conf) throws Exception {
    Path site = conf.resolve("core-site.xml");
    assertThat(defaultIsLocal(files, conf)).isTrue();
    Files.writeString(site, "<configuration/>");
    assertThat(defaultIsLocal(files, conf)).isTrue();
    Files.writeString(site, "<configuration> fs.defaultFS </configuration>");
    assertThat(defaultIsLocal(files, conf)).isFalse();
    FileSystems local = FileSystems.of(Map.of("spark.hadoop.fs.defaultFS", "file:///"));
    assertThat(defaultIsLocal(local, conf)).isTrue();
    FileSystems remote = FileSystems.of(Map.of("spark.hadoop.fs.default.name", "hdfs://nn"));
    assertThat(defaultIsLocal(remote, conf.resolve("none"))).isFalse();
  }

  private static boolean defaultIsLocal(FileSystems files, Path conf) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {conf.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      return files.absolute("/x").equals("/x");
    } catch (KilnException e) {
      return false; // nobody knows the other one here
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void pathsOfOtherSystemsHaveParentsUpToTheirRoot() {
    assertThat(FileSystem.parent("hdfs://nn:1/a/b")).isEqualTo(Optional.of("hdfs://nn:1/a"));
    assertThat(FileSystem.parent("hdfs://nn:1/a")).isEqualTo(Optional.of("hdfs://nn:1/"));
    assertThat(FileSystem.parent("hdfs://nn:1/")).isEmpty();
    assertThat(FileSystem.parent("/a")).isEqualTo(Optional.of("/"));
    assertThat(FileSystem.parent("/")).isEmpty();
    assertThat(FileSystem.child("hdfs://nn:1/", "a")).isEqualTo("hdfs://nn:1/a");
    assertThat(FileSystem.child("/a", "b")).isEqualTo("/a/b");
  }

  @Test
  void tasksOfLocalPathsNeedNoSettings() {
    assertThat(files.forTasks(List.of("/a", "/b")).at("/a")).isSameAs(FileSystems.local());
  }
}
