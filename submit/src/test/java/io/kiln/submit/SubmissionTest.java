package io.kiln.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.launcher.CommandLine;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.SubmitSettings.Setting;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubmissionTest {

  @TempDir Path directory;
  private String app;

  @BeforeEach
  void writeJars() throws IOException {
    app = writeJar("app.jar", "p.Main");
    writeJar("nameless.jar", "");
    writeJar("one-1.jar", "");
    writeJar("one-2.jar", "");
  }

  @Test
  void theSettingsAreCompleted() {
    Submission submission = prepare(app, "x", "--class");

    assertThat(submission.mainClass()).isEqualTo("p.Main");
    assertThat(submission.arguments()).containsExactly("x", "--class");
    assertThat(submission.settings().all())
        .containsOnlyKeys("spark.master", "spark.submit.deployMode", "spark.app.name", "spark.jars")
        .containsEntry("spark.master", new Setting("local[*]", "default"))
        .containsEntry("spark.app.name", new Setting("p.Main", "default"));
    assertThat(submission.settings().value("spark.jars"))
        .isEqualTo(Path.of(app).toUri().toString());
    assertThat(submission.classPath()).containsExactly(directory.resolve("conf"), Path.of(app));
  }

  @Test
  void theClassPathIsTheDriversThenConfThenTheApplicationsJars() throws IOException {
    Files.createDirectory(directory.resolve("lib"));
    String extra = writeJar("lib/extra.jar", "");

    Submission submission =
        prepare(
            "--driver-class-path",
            "/a:" + directory + "/lib/*",
            "--jars",
            directory + "/one-*.jar, file:" + directory.resolve("nameless.jar"),
            app);

    assertThat(submission.classPath())
        .containsExactly(
            Path.of("/a"),
            Path.of(extra),
            directory.resolve("conf"),
            Path.of(app),
            directory.resolve("one-1.jar"),
            directory.resolve("one-2.jar"),
            directory.resolve("nameless.jar"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--name x                         | No application to run",
        "missing.jar                      | The application jar missing.jar does not exist",
        "DIR                              | is a directory: submit a jar",
        "DIR/text.txt                     | is not a jar that can be read",
        "DIR/nameless.jar                 | No main class: DIR/nameless.jar has no Main-Class in"
            + " its manifest; name it by --class",
        "hdfs://h/app.jar                 | The application: hdfs://h/app.jar can't be read: hdfs:"
            + " is not supported",
        "pi.py                            | Python program",
        "--py-files a.zip pi.py 10        | A Python program such as pi.py can't run",
        "pyspark-shell                    | Python program",
        "pi.R                             | R program",
        "sparkr-shell                     | R program",
        "--jars no.jar APP                | --jars names no.jar, which does not exist",
        "--jars no*.jar APP               | --jars names no*.jar, which does not exist",
        "--jars ftp://h/a.jar APP         | --jars: ftp://h/a.jar can't be read: ftp: is not"
            + " supported",
        "--files DIR/*.jar#name APP       | --files gives the name name to DIR/*.jar, which matches"
            + " 4 files",
        "--jars DIR/a[.jar APP            | is no pattern: a [ has no ]",
        "--archives no.zip APP            | --archives names no.zip, which does not exist",
        "--py-files a.py APP              | --py-files is for Python programs",
        "-c spark.driver.userClassPathFirst=yes APP | must be true or false, but is 'yes'",
        "-c spark.files.fetchTimeout=soon --jars http://h/a.jar APP |"
            + " spark.files.fetchTimeout=soon",
        "--conf spark.jars=no.jar APP     | spark.jars names no.jar, which does not exist",
        "--files no.txt APP               | --files names no.txt, which does not exist",
        "--deploy-mode cluster APP        | --deploy-mode is cluster, but local[*] runs in this"
            + " process",
        "--deploy-mode cloud APP          | --deploy-mode must be client or cluster, but is"
            + " 'cloud'",
        "--conf spark.master=local[x] APP | spark.master is 'local[x]', which names no master",
        "--conf spark.log.level=LOUD APP  | spark.log.level is 'LOUD', which is no level",
        "--kill driver-1                  | --kill acts on a submission to a cluster",
        "--status driver-1                | --status acts on a submission to a cluster",
        "--proxy-user= APP                | --proxy-user names nobody: give the name of a user",
      })
  void badInputGetsOneLine(String words, String message) throws IOException {
    Files.writeString(directory.resolve("text.txt"), "no jar");

    assertThatThrownBy(() -> prepare(inDirectory(words).split(" ", -1)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(inDirectory(message))
        .hasMessageNotContaining("\n");
  }

  @Test
  void whoTheProgramActsForIsKept() {
    assertThat(ProgramUser.isOther(prepare(app))).isFalse();
    assertThat(prepare("--proxy-user", "u", app).proxyUser()).isEqualTo("u");
    assertThat(ProgramUser.isOther(prepare("--proxy-user", "u", app))).isTrue();
    assertThat(
            ProgramUser.isOther(prepare("-c", "spark.kerberos.principal=p", "--keytab", app, app)))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ALL", "trace", "Debug", "INFO", "WARN", "ERROR", "FATAL", "OFF"})
  void everyLogLevelIsTaken(String level) {
    assertThat(prepare("-c", "spark.log.level=" + level, app).mainClass()).isEqualTo("p.Main");
  }

  @Test
  void theVerboseReportShowsSettingsWithTheirOrigin() {
    Submission submission = prepare("-c", "spark.x=y", app, "an argument");

    assertThat(VerboseReport.of(submission))
        .contains(
            "Main class:\n  p.Main\nArguments:\n  an argument\n",
            "spark.x = y  (--conf)",
            "spark.master = local[*]  (default)",
            "  " + app + "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spark.authenticate.secret=abc",
        "spark.my.Password=abc",
        "spark.hadoop.fs.s3a.access.key=abc",
        "spark.api.TOKEN=abc",
        "spark.x.credential=abc",
        "spark.driver.extraJavaOptions=-DtrustStorePassword=abc",
        "spark.jars.repositories=https://user:abc@host/maven",
        "spark.private=abc"
      })
  void theVerboseReportHidesSecrets(String conf) {
    String regex = conf.startsWith("spark.private") ? "private" : "(?i)secret|password|token";
    Submission submission = prepare("-c", conf, "-c", "spark.redaction.regex=" + regex, app);

    assertThat(VerboseReport.of(submission))
        .doesNotContain("abc")
        .contains(conf.substring(0, conf.indexOf('=')), "spark.redaction.regex = " + regex);
  }

  @Test
  void theVerboseReportHidesSecretsAmongTheArguments() {
    Submission submission =
        prepare(app, "--user", "me", "--password", "abc", "token=abc", "https://me:abc@host/");

    assertThat(VerboseReport.of(submission))
        .doesNotContain("abc")
        .contains("Arguments:\n  --user\n  me\n  --password\n", "  token=", "@host/");
  }

  private String inDirectory(String text) {
    return text.replace("DIR", directory.toString()).replace("APP", app);
  }

  private Submission prepare(String... words) {
    CommandLine line = CommandLine.parse(List.of(words));
    Path conf = directory.resolve("conf");
    return Submission.prepare(
        line,
        SubmissionRules.settings(line, Map.of(), conf, new ClusterManagers()),
        Map.of(),
        conf);
  }

  private String writeJar(String name, String mainClass) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (!mainClass.isEmpty()) {
      manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
    }
    Path file = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(file)) {
      new JarOutputStream(out, manifest).close();
    }
    return file.toString();
  }
}
