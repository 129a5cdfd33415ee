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
  private static FileSystems of(Map<String, String> settings) {
    return FileSystems.of(settings, FileSystemsTest.class.getClassLoader());
  }

  private final FileSystems files = of(Map.of("spark.app.name", "x"));

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
    assertThat(defaultIsLocal(Map.of(), conf)).isTrue();
    Files.writeString(site, "<configuration/>");
    assertThat(defaultIsLocal(Map.of(), conf)).isTrue();
    Files.writeString(site, "<configuration> fs.defaultFS </configuration>");
    assertThat(defaultIsLocal(Map.of(), conf)).isFalse();
    assertThat(defaultIsLocal(Map.of("spark.hadoop.fs.defaultFS", "file:///"), conf)).isTrue();
    assertThat(
            defaultIsLocal(
                Map.of("spark.hadoop.fs.default.name", "hdfs://nn"), conf.resolve("none")))
        .isFalse();
  }

  /// @param conf where the application's loader looks
  private static boolean defaultIsLocal(Map<String, String> settings, Path conf) throws Exception {
    try (URLClassLoader application =
        new URLClassLoader(
            new URL[] {conf.toUri().toURL()}, FileSystemsTest.class.getClassLoader())) {
      return FileSystems.of(settings, application).absolute("/x").equals("/x");
    } catch (KilnException e) {
      return false; // nobody knows the other one here
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
