package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Jars, files and archives that an application is given, from this machine and from a server; and
/// what is said of classes that are missing or there twice.
class DependenciesTest {

  @TempDir static Path shared;
  @TempDir Path directory;
  private static ProbeJar probe;
  private Path given;
  private Path temporary;
  private FileServer server;

  @BeforeAll
  static void compileProbe() throws IOException {
    probe = ProbeJar.build(shared);
  }

  @BeforeEach
  void start() throws Exception {
    given = Files.createDirectory(directory.resolve("given"));
    temporary = Files.createDirectory(directory.resolve("temporary"));
    server = new FileServer(given);
    Files.writeString(given.resolve("note.txt"), "a note");
    Path tree = Files.createDirectories(directory.resolve("tree/in")).getParent();
    Files.writeString(tree.resolve("in/deep.txt"), "deep");
    Path tool = Files.writeString(tree.resolve("tool"), "run me");
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createSymbolicLink(tree.resolve("alias"), Path.of("in/deep.txt"));
    Command pack =
        new Command(directory, "tar", "-czf", given.resolve("tree.tgz"), "-C", tree, ".");
    assertThat(pack.run().exitCode()).isZero();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void allComesFromAServerAndGoesAtTheEnd() throws Exception {
    SmallJar.named(directory, given.resolve("greeter.jar"), "acme.Greeter", "hello");
    Files.copy(probe.application(), given.resolve("app.jar"));

    Result result =
        submit(
                List.of(
                    "--jars", server.url() + "/greeter.jar",
                    "--files", server.url() + "/note.txt#remark," + server.url() + "/note.txt",
                    "--archives", server.url() + "/tree.tgz"),
                server.url() + "/app.jar?version=1",
                "read",
                "remark",
                "note.txt",
                "tree.tgz/in/deep.txt",
                "tree.tgz/tool",
                "tree.tgz/alias")
            .run();

    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .isEqualTo(
            Stream.of("driver ", "task ")
                .flatMap(
                    where ->
                        Stream.of(
                            where + "remark a note",
                            where + "note.txt a note",
                            where + "tree.tgz/in/deep.txt deep",
                            where + "tree.tgz/tool executable run me",
                            where + "tree.tgz/alias link deep"))
                .collect(Collectors.joining("\n", "", "\n")));
    assertThat(server.served()).contains("/app.jar", "/greeter.jar").hasSize(5);
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void globsMayStandAnywhereInAPath() throws Exception {
    Path lib = directory.resolve("lib");
    SmallJar.named(directory, lib.resolve("one/x/a-1.jar"), "acme.One", "one");
    SmallJar.named(directory, lib.resolve("two/x/a-2.jar"), "acme.Two", "two");
    SmallJar.named(directory, lib.resolve("six/x/a-1.jar"), "acme.Six", "six");
    Files.writeString(Files.createDirectories(lib.resolve("a,b")).resolve("t.txt"), "comma");

    Result result =
        run(
            List.of(
                "--jars", lib + "/{one,t?o}/*/a-[12].jar",
                "--files", "file:" + lib + "/a?b/*.txt#odd",
                "--archives", "local:" + given + "/tree.tgz#env"),
            "load",
            "acme.One",
            "acme.Two");

    assertThat(result).isEqualTo(new Result(0, "driver one\ndriver two\ntask one\ntask two\n", ""));
    assertThat(run(List.of("--jars", lib + "/{one,t?o}/*/a-[12].jar"), "load", "acme.Six").err())
        .contains("class acme.Six, which probe.Brought needs, is in no jar of the application; ");
  }

  @Test
  void aProgramMayAddTheSameThings() throws Exception {
    SmallJar.named(directory, given.resolve("greeter.jar"), "acme.Greeter", "hello");

    Result result = run(List.of(), "add", server.url());

    assertThat(result)
        .isEqualTo(
            new Result(
                0,
                """
                task added.txt a note
                task tree/in/deep.txt deep
                task hello
                1 archive
                """,
                ""));
    assertThat(temporary).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--jars URL/gone.jar   | URL/gone.jar can't be fetched: the server answers with status 404"
            + " (there is no such file)",
        "--files hdfs://h/a    | --files: hdfs://h/a can't be read: hdfs: is not supported in this"
            + " version; use a path, file:, local:, http: or https:, or copy it here first",
        "--archives gone.zip   | --archives names gone.zip, which does not exist",
      })
  void whatCanNotBeHadIsRefusedInOneLine(String options, String message) throws Exception {
    Result result = run(List.of(options.replace("URL", server.url()).split(" ")), "load");

    assertThat(result)
        .isEqualTo(new Result(1, "", "Error: " + message.replace("URL", server.url()) + "\n"));
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void anArchiveThatWouldWriteElsewhereIsRefused() throws Exception {
    Path evil = directory.resolve("evil.zip");
    try (OutputStream out = Files.newOutputStream(evil);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("../../escaped"));
      zip.write("x".getBytes(StandardCharsets.UTF_8));
    }

    Result result = run(List.of("--archives", evil.toString()), "load");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err())
        .contains(
            "can't be unpacked: its entry '../../escaped' would be written outside of its"
                + " directory\n");
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files).noneMatch(file -> file.endsWith("escaped"));
    }
  }

  @Test
  void anApplicationUsesItsOwnVersionsOfTheLibrariesThatTheEngineUses() throws Exception {
    Result result = runLibraries(List.of());

    assertThat(result)
        .isEqualTo(
            new Result(
                0,
                """
                driver ["driver","netty","kryo 4"]
                tasks ["task","netty","kryo 4"]
                classes null
                """,
                ""));
  }

  /// SLF4J is all that is shared; 1.7 with its own output is the application's then.
  @ParameterizedTest
  @CsvSource({"spark.driver.userClassPathFirst", "spark.executor.userClassPathFirst"})
  void onRequestAnApplicationsOwnLoggingComesFirst(String setting) throws Exception {
    Result result = runLibraries(List.of("--conf", setting + "=true"));

    assertThat(result.err())
        .matches("\\[main] INFO probe - logged by org.slf4j.impl.SimpleLoggerFactory@.*\n");
    assertThat(result.out()).startsWith("driver [").contains("tasks [");
  }

  private Result runLibraries(List<String> options) throws Exception {
    List<String> all = new ArrayList<>(options);
    all.add("--jars");
    all.add(Layout.testLibraries().stream().map(Path::toString).collect(Collectors.joining(",")));
    all.addAll(List.of("--class", "libraries.Libraries"));
    return submit(all, ProbeJar.withLibraries(directory).toString()).run();
  }

  @Test
  void aClassThatATaskMissesIsNamedWithWhoNeedsItAndWhatIsLikeIt() throws Exception {
    Path other = SmallJar.named(directory, given.resolve("other.jar"), "other.Missing", "x");

    Result result = run(List.of("--jars", other.toString()), "missing");

    assertThat(result.err().lines().findFirst().orElseThrow())
        .endsWith(
            "most recent failure: java.lang.NoClassDefFoundError: probe/Missing; class"
                + " probe.Missing, which probe.Brought needs, is in no jar of the application; "
                + other
                + " has other.Missing; if another is meant, add its jar by --jars or --packages");
    assertThat(result.exitCode()).isEqualTo(1);
  }

  @Test
  void aClassThatTheProgramMissesIsExplainedAfterItsStackTrace() throws Exception {
    Path lib = SmallJar.named(directory, given.resolve("lib-1.jar"), "acme.Greeter", "x");

    Result result = run(List.of("--jars", lib.toString()), "reflect");

    assertThat(result.err().lines())
        .startsWith("Exception in thread \"main\" java.lang.ClassNotFoundException: acme.Greeting")
        .endsWith(
            "Error: class acme.Greeting, which probe.Brought needs, is in no jar of the"
                + " application; "
                + lib
                + " has others of its package, so another version of it may have this one too; or"
                + " add its jar by --jars or --packages");
  }

  @Test
  void aFunctionThatCanNotBeRestoredNamesTheMissingClass() throws Exception {
    Path jar =
        SmallJar.write(
            directory,
            directory.resolve("apart/held.jar"),
            "acme.Held",
            "implements java.io.Serializable { public int[] number = {7}; }",
            "");

    Result result = run(List.of(), "foreign", jar.toUri().toString());

    assertThat(result.err())
        .contains("a function or record can't be restored in a task: class acme.Held")
        .contains("is in no jar of the application")
        .doesNotContain("SerializedLambda");
  }

  @Test
  void classesThatAreThereTwiceAreToldOnRequest() throws Exception {
    Path first = SmallJar.named(directory, given.resolve("first.jar"), "acme.Same", "first");
    Path second = SmallJar.named(directory, given.resolve("second.jar"), "acme.Same", "second");
    String jars = first + "," + second;

    assertThat(run(List.of("-v", "--jars", jars), "load", "acme.Same").err())
        .contains(
            "Classes that are in two jars:\n  acme.Same: that of "
                + first
                + " holds, not that of "
                + second
                + "\n");
    assertThat(run(List.of("--jars", jars), "load", "acme.Same"))
        .isEqualTo(new Result(0, "driver first\ntask first\n", ""));
  }

  private Result run(List<String> options, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of("--class", "probe.Brought"));
    return submit(all, probe.application().toString(), arguments).run();
  }

  private Command submit(List<String> options, String application, String... arguments) {
    List<Object> words = new ArrayList<>();
    words.add(Layout.HOME.resolve("bin/spark-submit"));
    words.addAll(List.of("--master", "local[2]"));
    words.addAll(options);
    if (!options.contains("--class")) {
      words.addAll(List.of("--class", "probe.Brought"));
    }
    words.add(application);
    words.addAll(List.of(arguments));
    return new Command(directory, words.toArray())
        .with("SPARK_SUBMIT_OPTS", "-Djava.io.tmpdir=" + temporary);
  }
}
