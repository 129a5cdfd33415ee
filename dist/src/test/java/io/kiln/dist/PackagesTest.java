package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sonatype.plexus.components.cipher.DefaultPlexusCipher;

/// `--packages` as a user types it, with a home directory and a repository of its own.
class PackagesTest {

  @TempDir static Path shared;
  @TempDir Path directory;
  private static ProbeJar probe;
  private Path home;
  private MavenRepository repository;
  private FileServer server;

  @BeforeAll
  static void compileProbe() throws IOException {
    probe = ProbeJar.build(shared);
  }

  @BeforeEach
  void start() throws IOException {
    home = Files.createDirectories(directory.resolve("home/.m2")).getParent();
    Path root = Files.createDirectory(directory.resolve("repository"));
    repository = new MavenRepository(root, directory);
    server = new FileServer(root);
    mirrorOfCentral("");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /// `a` needs `b` 1 and `c`, which needs `b` 2, something to leave out and what the engine gives.
  private void putPackages() throws IOException {
    repository.put("a", "1", "acme:b:1", "acme:c:1", "acme:tests:1:test", "acme:given:1:provided");
    repository.put("b", "1");
    repository.putPom("b", "2");
    repository.put(
        "c", "1", "acme:b:2", "acme:heavy:1", "io.kiln:kiln-api:7", "org.slf4j:slf4j-api:1.7.36");
  }

  @Test
  void packagesComeWithWhatTheyNeedAndStay() throws Exception {
    putPackages();
    List<String> options =
        List.of("--packages", "acme:a:1", "--exclude-packages", "acme:hea*,none:*");

    Result first = run(with(options, "-v"), "load", "acme.A", "acme.B", "acme.C");

    assertThat(first.err())
        .contains(
            "acme:a:1, fetched from central-here (" + server.url() + ")\n",
            "acme:b:1, fetched from",
            "acme:c:1, fetched from",
            "acme:b:2, asked for by acme:c:1, gives way to acme:b:1, asked for by acme:a:1\n")
        .doesNotContain("acme:tests", "acme:given", "acme:heavy", "slf4j-api:1");
    assertThat(first.out())
        .isEqualTo(
            """
            driver a 1
            driver b 1
            driver c 1
            task a 1
            task b 1
            task c 1
            """);

    int asked = server.served().size();
    server.close();
    // From wherever it came, it is there: also for who would now ask another.
    Files.delete(home.resolve(".m2/settings.xml"));
    Result second = run(options, "load", "acme.A", "acme.B", "acme.C");

    assertThat(second).isEqualTo(new Result(0, first.out(), ""));
    assertThat(server.served()).hasSize(asked);
  }

  @Test
  void repositoriesThatAreGivenComeFirst() throws Exception {
    repository.put("a", "1");
    Path other = Files.createDirectory(directory.resolve("other"));
    MavenRepository otherRepository = new MavenRepository(other, directory);
    otherRepository.put("a", "2");
    otherRepository.putPom("a", "1");
    Files.copy(otherRepository.file("a", "2", "jar"), otherRepository.file("a", "1", "jar"));

    Result result =
        run(
            List.of("--packages", "acme:a:1", "--repositories", other.toUri().toString()),
            "load",
            "acme.A");

    assertThat(result).isEqualTo(new Result(0, "driver a 2\ntask a 2\n", ""));
  }

  @Test
  void ofTwoVersionsAskedForTheLastIsUsedAndThatIsSaid() throws Exception {
    repository.put("a", "1");
    repository.put("a", "2");

    Result result = run(List.of("--packages", "acme:a:1,acme:a:2"), "load", "acme.A");

    assertThat(result)
        .isEqualTo(
            new Result(
                0,
                "driver a 2\ntask a 2\n",
                "Warning: --packages asks for acme:a:1 and for 2: the last is used\n"));
  }

  @Test
  void whatIsMissingIsNamedWithEveryPlaceTried() throws Exception {
    repository.put("a", "1", "acme:gone:3");
    int closed = closedPort();

    Result result =
        run(
            List.of(
                "--packages",
                "acme:a:1",
                "--repositories",
                "near::http://127.0.0.1:" + closed + "/,file:" + directory + "/none"),
            "load");

    assertThat(result)
        .isEqualTo(
            new Result(
                1,
                "",
                "Error: --packages: acme:gone:3, which acme:a:1 needs, can't be had: not in "
                    + home.resolve(".m2/repository")
                    + "; near (http://127.0.0.1:"
                    + closed
                    + "/) can't be reached: connection refused; not in repo-2 (file:"
                    + directory
                    + "/none); not in central-here ("
                    + server.url()
                    + ")\n"));
  }

  @Test
  void aPackageThatIsDamagedIsRefused() throws Exception {
    Path jar = repository.put("a", "1");
    Files.writeString(Path.of(jar + ".sha1"), "0".repeat(40));

    Result result = run(List.of("--packages", "acme:a:1"), "load", "acme.A");

    assertThat(result.err())
        .contains("acme:a:1 can't be had", "central-here", "gives it damaged")
        .hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(1);
  }

  @Test
  void credentialsOfTheSettingsOpenAMirror() throws Exception {
    repository.put("a", "1");
    mirrorOfCentral("/secret");

    Result denied = run(List.of("--packages", "acme:a:1"), "load", "acme.A");
    assertThat(denied.err()).contains("central-here").contains("401").hasLineCount(1);

    writeSettings("/secret", "<password>" + FileServer.PASSWORD + "</password>");
    assertThat(run(List.of("--packages", "acme:a:1"), "load", "acme.A").out())
        .isEqualTo("driver a 1\ntask a 1\n");
  }

  @Test
  void aProxyOfTheSettingsIsAsked() throws Exception {
    repository.put("a", "1");
    String host = "http://repository.invalid/";
    Files.writeString(
        home.resolve(".m2/settings.xml"),
        """
        <settings>
          <proxies>
            <proxy><id>p</id><active>true</active><protocol>http</protocol><host>127.0.0.1</host><port>%s</port></proxy>
          </proxies>
        </settings>
        """
            .formatted(server.url().replaceAll(".*:", "")));

    Result result =
        run(List.of("--packages", "acme:a:1", "--repositories", host), "load", "acme.A");

    assertThat(result).isEqualTo(new Result(0, "driver a 1\ntask a 1\n", ""));
    assertThat(server.served()).contains("/acme/a/1/a-1.jar");
  }

  @Test
  void aSnapshotIsTheOneThatTheRepositoryNames() throws Exception {
    repository.putSnapshot("a", "1", "20260102.030405");
    List<String> options =
        List.of("--packages", "acme:a:1-SNAPSHOT", "--repositories", server.url());

    Result result = run(options, "load", "acme.A");

    assertThat(result).isEqualTo(new Result(0, "driver a 1-SNAPSHOT\ntask a 1-SNAPSHOT\n", ""));
    assertThat(server.served()).contains("/acme/a/1-SNAPSHOT/a-1-20260102.030405-1.jar");
  }

  @Test
  void ofARangeTheNewestVersionIsTaken() throws Exception {
    repository.put("a", "1", "acme:b:[1,3)");
    for (String version : List.of("1", "2", "3")) {
      repository.put("b", version);
    }
    repository.putVersions("b", "1", "2", "3");

    Result needed = run(List.of("--packages", "acme:a:1"), "load", "acme.B");
    Result asked = run(List.of("--packages", "acme:b:[1,2]"), "load", "acme.B");
    Result none = run(List.of("--packages", "acme:b:[7,8)"), "load");

    assertThat(needed).isEqualTo(new Result(0, "driver b 2\ntask b 2\n", ""));
    assertThat(asked).isEqualTo(new Result(0, "driver b 2\ntask b 2\n", ""));
    assertThat(none.err()).startsWith("Error: --packages: ").contains("acme:b:").hasLineCount(1);
  }

  @Test
  void anApplicationThatIsMissingIsSeenBeforeAnythingIsFetched() throws Exception {
    repository.put("a", "1");
    Path jar = directory.resolve("none.jar");

    Result result =
        new Command(
                directory,
                Layout.HOME.resolve("bin/spark-submit"),
                "--packages",
                "acme:a:1",
                "--class",
                "probe.Brought",
                jar)
            .with("SPARK_SUBMIT_OPTS", "-Duser.home=" + home)
            .run();

    assertThat(result)
        .isEqualTo(new Result(1, "", "Error: The application jar " + jar + " does not exist\n"));
    assertThat(server.served()).isEmpty();
  }

  @Test
  void anEncryptedPasswordIsDecrypted() throws Exception {
    repository.put("a", "1");
    DefaultPlexusCipher cipher = new DefaultPlexusCipher();
    String master = cipher.encryptAndDecorate("master", "settings.security");
    Files.writeString(
        home.resolve(".m2/settings-security.xml"),
        "<settingsSecurity><master>" + master + "</master></settingsSecurity>");
    String password = cipher.encryptAndDecorate(FileServer.PASSWORD, "master");
    writeSettings("/secret", "<password>" + password + "</password>");

    assertThat(run(List.of("--packages", "acme:a:1"), "load", "acme.A"))
        .isEqualTo(new Result(0, "driver a 1\ntask a 1\n", ""));
  }

  @Test
  void whereMavensDirectoryCanNotBeWrittenToAnotherIsUsed() throws Exception {
    repository.put("a", "1");
    Path file = Files.writeString(directory.resolve("file"), "");

    Result result =
        run(
            List.of("--packages", "acme:a:1", "--conf", "spark.jars.ivy=" + file + "/ivy"),
            "load",
            "acme.A");

    Path cache = home.resolve("cache/kiln/packages");
    assertThat(result)
        .isEqualTo(
            new Result(
                0,
                "driver a 1\ntask a 1\n",
                "Warning: "
                    + file
                    + "/ivy can't be written to: packages are kept in "
                    + cache
                    + "\n"));
    assertThat(cache.resolve("acme/a/1/a-1.jar")).exists();
  }

  @Test
  void whatCanNotBeACoordinateIsRefusedInOneLine() throws Exception {
    assertThat(run(List.of("--packages", "acme:a"), "load"))
        .isEqualTo(
            new Result(
                1,
                "",
                "Error: --packages names 'acme:a', which is no Maven coordinate: it has 2 parts;"
                    + " write group:artifact:version, or group:artifact:jar:classifier:version\n"));
  }

  @Test
  void aSubmissionWithoutPackagesLoadsNothingForThem() throws Exception {
    Path log = directory.resolve("classes.log");

    Result result =
        submit(List.of(), "load").with("SPARK_SUBMIT_OPTS", "-Xlog:class+load:file=" + log).run();

    assertThat(result.exitCode()).isZero();
    assertThat(Files.readString(log))
        .contains("io.kiln.submit.Dependencies ")
        .doesNotContain(
            "io.kiln.submit.packages.PackageResolvers",
            "org.eclipse.aether",
            "java.net.http",
            "io.kiln.base.resource.Archive",
            "io.kiln.base.classpath.ApplicationJars",
            "io.kiln.base.classpath.MissingClass");
    assertThat(Layout.jars("jars/engine"))
        .noneMatch(jar -> jar.getFileName().toString().matches("(maven|http|plexus|gson).*"));
  }

  private void mirrorOfCentral(String path) throws IOException {
    writeSettings(path, "");
  }

  private void writeSettings(String path, String password) throws IOException {
    Files.writeString(
        home.resolve(".m2/settings.xml"),
        """
        <settings>
          <mirrors>
            <mirror><id>central-here</id><mirrorOf>central</mirrorOf><url>%s</url></mirror>
          </mirrors>
          <servers>
            <server><id>central-here</id><username>%s</username>%s</server>
          </servers>
        </settings>
        """
            .formatted(server.url() + path, FileServer.USER, password));
  }

  private static int closedPort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static List<String> with(List<String> options, String more) {
    List<String> all = new ArrayList<>(options);
    all.add(more);
    return all;
  }

  private Result run(List<String> options, String... arguments) throws Exception {
    return submit(options, arguments).run();
  }

  private Command submit(List<String> options, String... arguments) {
    List<Object> words = new ArrayList<>();
    words.add(Layout.HOME.resolve("bin/spark-submit"));
    words.addAll(List.of("--master", "local[2]"));
    words.addAll(options);
    words.addAll(List.of("--class", "probe.Brought", probe.application()));
    words.addAll(List.of(arguments));
    return new Command(directory, words.toArray())
        .with("SPARK_SUBMIT_OPTS", "-Duser.home=" + home)
        .with("XDG_CACHE_HOME", home.resolve("cache"));
  }
}
