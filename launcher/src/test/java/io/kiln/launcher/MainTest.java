package io.kiln.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

  @TempDir Path home;
  private final Map<String, String> environment = new HashMap<>();
  private Path jars;
  private Path conf;

  @BeforeEach
  void layOut() throws IOException {
    jars = home.resolve("jars");
    conf = Files.createDirectory(home.resolve("conf"));
    for (String jar :
        List.of(
            "jars/engine/b.jar",
            "jars/engine/a.jar",
            "jars/shared/z.jar",
            "examples/jars/ex.jar")) {
      Files.createDirectories(home.resolve(jar).getParent());
      Files.createFile(home.resolve(jar));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Main.SUBMIT_ALIAS, Main.SUBMIT_CLASS})
  void bothNamesOfSubmitStartOurs(String name) {
    List<String> command = command(name, "--master", "local", "app.jar", "", "a b");

    assertThat(command)
        .endsWith(Main.SUBMIT_CLASS, "--master", "local", "app.jar", "", "a b")
        .contains("-Xmx1g", "-XX:+UseParallelGC");
    assertThat(valueAfter(command, "-cp"))
        .isEqualTo(
            String.join(
                File.pathSeparator,
                jars + "/shared/z.jar",
                jars + "/engine/a.jar",
                jars + "/engine/b.jar"));
  }

  @Test
  void aForeignClassIsStartedAsItIs() {
    environment.put("SPARK_DRIVER_MEMORY", "700m");

    List<String> command = command("org.example.Tool", "--frobnicate", "x");

    assertThat(command).endsWith("org.example.Tool", "--frobnicate", "x").contains("-Xmx700m");
    assertThat(valueAfter(command, "-cp")).startsWith(conf + File.pathSeparator);
  }

  @Test
  void noClassIsRefused() {
    assertRefused("No class to start");
  }

  @ParameterizedTest
  @CsvSource({
    "4g, , , , -Xmx4g",
    "4g, 3g, 2g, 1m, -Xmx4g",
    ", 3g, 2g, 1m, -Xmx3g",
    ", , 2g, 1m, -Xmx2g",
    ", , , 512mb, -Xmx512m",
    "2048, , , , -Xmx2048m",
  })
  void theHeapIsTheStrongestThatIsGiven(
      String option, String setting, String driver, String any, String expected)
      throws IOException {
    if (setting != null) {
      Files.writeString(conf.resolve("spark-defaults.conf"), "spark.driver.memory " + setting);
    }
    environment.put("SPARK_DRIVER_MEMORY", driver == null ? "" : driver);
    environment.put("SPARK_MEM", any == null ? "" : any);

    assertThat(option == null ? submit("app.jar") : submit("--driver-memory", option, "app.jar"))
        .contains(expected);
  }

  @Test
  void optionsOfEverySourceReachTheJvmWhole() throws IOException {
    Files.writeString(
        conf.resolve("spark-defaults.conf"), "spark.driver.defaultJavaOptions -Da=\"1 2\"\n");
    Files.writeString(conf.resolve("java-opts"), "-Dc='5 6'\n-Dd=7\n");
    environment.put("SPARK_SUBMIT_OPTS", "-De=\"8 9\"");

    assertThat(submit("--driver-java-options", "-Db='3 4' -ea", "app.jar"))
        .containsSubsequence(
            "-Da=1 2", "-Db=3 4", "-ea", "-Dc=5 6", "-Dd=7", "-De=8 9", Main.SUBMIT_CLASS);
  }

  @Test
  void theHeapMayNotBeSetAmongTheOptions() {
    assertRefused(
        "must not set the largest heap (-Xmx2g): use --driver-memory",
        Main.SUBMIT_ALIAS,
        "--driver-java-options",
        "-ea -Xmx2g",
        "app.jar");
    assertRefused(
        "spark.driver.extraJavaOptions must not set",
        Main.SUBMIT_ALIAS,
        "-c",
        "spark.driver.extraJavaOptions=-Xmx2g",
        "app.jar");
    assertRefused(
        "spark.driver.defaultJavaOptions must not set",
        Main.SUBMIT_ALIAS,
        "-c",
        "spark.driver.defaultJavaOptions=-Xmx2g",
        "app.jar");
  }

  @Test
  void aCollectorOfTheUsersReplacesOurs() {
    assertThat(submit("--driver-java-options", "-XX:+UseG1GC", "app.jar"))
        .contains("-XX:+UseG1GC")
        .doesNotContain("-XX:+UseParallelGC");
    environment.put("KILN_OTHER_JVM_OPTIONS", "-Da=b -XX:+UseZGC ");
    assertThat(submit("app.jar")).doesNotContain("-XX:+UseParallelGC");
  }

  @Test
  void nativeLibrariesComeByTheEnvironment() {
    environment.put("LD_LIBRARY_PATH", "/old");

    assertThat(submit("--driver-library-path", "/a:/b", "app.jar"))
        .startsWith("env", "LD_LIBRARY_PATH=/a:/b:/old");
  }

  @Test
  void inClusterModeTheDriversSettingsAreNotThisJvms() {
    assertThat(
            submit(
                "--deploy-mode",
                "cluster",
                "--driver-memory",
                "9g",
                "--driver-java-options",
                "-Da=b -Dc=d",
                "app.jar"))
        .doesNotContain("-Xmx9g", "-Dc=d");
  }

  @Test
  void anAotCacheIsUsedOnlyWhenItIsThereAndNewerThanTheJars() throws IOException {
    assertThat(submit("app.jar")).noneMatch(word -> word.startsWith("-XX:AOT"));

    Path cache = Files.createDirectory(home.resolve("aot")).resolve("driver.aot");
    Files.createFile(cache);
    assertThat(submit("app.jar")).contains("-XX:AOTCache=" + cache, "-Xlog:aot*=off,cds*=off");

    Files.setLastModifiedTime(
        jars.resolve("engine/a.jar"), FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(submit("app.jar")).noneMatch(word -> word.startsWith("-XX:AOT"));
  }

  @Test
  void aDriverOfExecutorsHasACacheOfItsOwnAndKnowsWhereTheirsIs() throws IOException {
    Path caches = Files.createDirectory(home.resolve("aot"));
    Files.createFile(caches.resolve("driver.aot"));
    String[] words = {"--master", "local-cluster[1,1,512]", "app.jar"};
    assertThat(submit(words))
        .contains("-XX:AOTCache=" + caches.resolve("driver.aot"), "-Dkiln.aot=" + caches);

    Files.createFile(caches.resolve("cluster.aot"));
    assertThat(submit(words)).contains("-XX:AOTCache=" + caches.resolve("cluster.aot"));
    assertThat(submit("app.jar"))
        .contains("-XX:AOTCache=" + caches.resolve("driver.aot"))
        .doesNotContain("-Dkiln.aot=" + caches);
  }

  @ParameterizedTest
  @CsvSource({
    "SparkPi,io.kiln.examples.SparkPi",
    "org.apache.spark.examples.SparkPi,io.kiln.examples.SparkPi",
    "io.kiln.examples.SparkPi,io.kiln.examples.SparkPi",
    "org.example.Mine,org.example.Mine",
  })
  void anExampleIsAClassOfTheExamplesJar(String name, String mainClass) {
    assertThat(submit("run-example", "--master", "local", name, "10", "--x"))
        .endsWith(
            Main.SUBMIT_CLASS,
            "--master",
            "local",
            "--class",
            mainClass,
            home + "/examples/jars/ex.jar",
            "10",
            "--x");
  }

  @Test
  void anExampleMustBeNamed() {
    assertRefused("No example to run", Main.SUBMIT_ALIAS, "run-example");
    assertThat(submit("run-example", "--help")).endsWith(Main.SUBMIT_CLASS, "--help");
  }

  @Test
  void anInstallationWithoutJarsIsRefused() throws IOException {
    Files.delete(jars.resolve("shared/z.jar"));
    Files.delete(jars.resolve("shared"));

    assertRefused("This installation is not whole", Main.SUBMIT_ALIAS, "app.jar");
  }

  private List<String> submit(String... words) {
    String[] all = new String[words.length + 1];
    all[0] = Main.SUBMIT_ALIAS;
    System.arraycopy(words, 0, all, 1, words.length);
    return command(all);
  }

  private List<String> command(String... words) {
    return Main.command(
        List.of(words), environment, new Installation(home, conf, home.resolve("aot")));
  }

  private void assertRefused(String message, String... words) {
    assertThatThrownBy(() -> command(words))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }

  private static String valueAfter(List<String> command, String word) {
    return command.get(command.indexOf(word) + 1);
  }
}
