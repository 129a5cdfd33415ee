package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// The tarball of the profile `dist`, unpacked at another place than it was made.
@EnabledIfSystemProperty(named = "kiln.tarball", matches = ".+")
class TarballTest {

  @TempDir static Path directory;
  private static Path home;

  @BeforeAll
  static void unpack() throws Exception {
    Path place = Files.createDirectory(directory.resolve("another place"));
    String tarball = System.getProperty("kiln.tarball");
    assertThat(new Command(directory, "tar", "-xzf", tarball, "-C", place).run().exitCode())
        .isZero();
    try (Stream<Path> unpacked = Files.list(place)) {
      List<Path> all = unpacked.toList();
      assertThat(all).singleElement().asString().contains("/kiln-");
      home = all.getFirst();
    }
  }

  @Test
  void itRunsWithAJdkOfAnyPlace() throws Exception {
    Path jdk = Files.createSymbolicLink(directory.resolve("a jdk"), javaHome());
    Result pi = example().with("JAVA_HOME", jdk).with("PATH", "/usr/bin:/bin").run();
    Result version =
        new Command(directory, home.resolve("bin/spark-submit"), "--version")
            .with("JAVA_HOME", jdk)
            .run();

    assertThat(pi.out()).containsPattern("Pi is roughly 3\\.1\\d+");
    assertThat(pi.err()).isEmpty();
    assertThat(version.out()).startsWith("Kiln ");
  }

  @Test
  void theFirstRunMakesTheCachesForThoseThatFollow() throws Exception {
    Path caches = home.resolve("aot");
    assertThat(caches).doesNotExist();
    Files.createDirectory(caches);
    try (WatchService watch = caches.getFileSystem().newWatchService()) {
      caches.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      assertThat(example().with("KILN_AOT_CACHES", "").run().err()).isEmpty();
      for (boolean made = false; !made; ) {
        WatchKey key = watch.poll(100, TimeUnit.SECONDS);
        assertThat(key).as("caches are made").isNotNull();
        made = key.pollEvents().stream().anyMatch(e -> e.context().toString().startsWith("jdk"));
        key.reset();
      }
    }
    Path log = directory.resolve("classes.log");

    example().with("SPARK_SUBMIT_OPTS", "-Xlog:class+load:file=" + log).run();

    assertThat(Files.readString(log))
        .contains("io.kiln.submit.SparkSubmit source: shared objects file");
  }

  @Test
  void itCarriesTheLicencesOfWhatItCarries() throws Exception {
    List<String> thirdParty = Files.readAllLines(home.resolve("licenses/THIRD-PARTY.txt"));
    String texts = "";
    for (Path text : filesOf("licenses")) {
      texts += text.endsWith("THIRD-PARTY.txt") ? "" : Files.readString(text);
    }
    List<Path> jars = new ArrayList<>(filesOf("jars/shared"));
    jars.addAll(filesOf("jars/engine"));
    jars.addAll(filesOf("jars/resolver"));
    jars.addAll(filesOf("jars/recovery"));
    jars.addAll(filesOf("jars/hadoop"));
    for (Path jar : jars) {
      String name = jar.getFileName().toString().replaceFirst("-[0-9].*", "");
      if (!name.startsWith("kiln-")) {
        String line =
            thirdParty.stream()
                .filter(l -> l.contains(":" + name + ":"))
                .findFirst()
                .orElse("nothing");
        assertThat(line.contains("Apache") || hasLicence(jar) || texts.contains(name))
            .as("the text of the licence of %s, of which THIRD-PARTY.txt has %s", name, line)
            .isTrue();
      }
    }
    assertThat(home.resolve("LICENSE")).isNotEmptyFile();
    assertThat(home.resolve("NOTICE")).isNotEmptyFile();
  }

  private static boolean hasLicence(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      return jar.stream().anyMatch(entry -> entry.getName().startsWith("META-INF/LICENSE"));
    }
  }

  private static List<Path> filesOf(String directory) throws IOException {
    try (Stream<Path> files = Files.list(home.resolve(directory))) {
      return files.toList();
    }
  }

  @Test
  void itHasTheTemplatesOfTheConfFilesAndNoConfFile() throws Exception {
    assertThat(filesOf("conf").stream().map(file -> file.getFileName().toString()))
        .containsExactlyInAnyOrder(
            "log4j2.properties.template", "spark-defaults.conf.template", "spark-env.sh.template");
  }

  private static Command example() {
    return new Command(directory, home.resolve("bin/run-example"), "SparkPi", 4)
        .with("JAVA_HOME", javaHome());
  }

  private static Path javaHome() {
    return Path.of(System.getProperty("java.home"));
  }
}
