package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.kerby.kerberos.kerb.crypto.EncryptionHandler;
import org.apache.kerby.kerberos.kerb.keytab.Keytab;
import org.apache.kerby.kerberos.kerb.keytab.KeytabEntry;
import org.apache.kerby.kerberos.kerb.type.KerberosTime;
import org.apache.kerby.kerberos.kerb.type.base.EncryptionKey;
import org.apache.kerby.kerberos.kerb.type.base.EncryptionType;
import org.apache.kerby.kerberos.kerb.type.base.PrincipalName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Logins to Hadoop through the real script, against a real Kerberos server.
class LoginTest {

  private static final String KERBEROS = "spark.hadoop.hadoop.security.authentication=kerberos";

  @TempDir static Path shared;
  @TempDir Path directory;
  private static MiniKdc server;
  private static Path application;
  private static Path keytab;

  @BeforeAll
  static void startServer() throws Exception {
    application = ProbeJar.withHadoop(shared);
    server =
        new MiniKdc(MiniKdc.createConf(), Files.createDirectory(shared.resolve("kdc")).toFile());
    server.start();
    keytab = shared.resolve("alice.keytab");
    server.createPrincipal(keytab.toFile(), "alice");
  }

  @AfterAll
  static void stopServer() {
    server.stop();
  }

  @Test
  void theDriverAndItsTasksAreTheProxyUser() throws Exception {
    Result result =
        submit(List.of("--proxy-user", "bob"), "who").with("HADOOP_USER_NAME", "me").run();

    assertThat(result)
        .isEqualTo(
            new Result(
                0,
                """
                driver bob (auth:PROXY) via me (auth:SIMPLE)
                task bob (auth:PROXY) via me (auth:SIMPLE)
                login me (auth:SIMPLE)
                """,
                ""));
  }

  @Test
  void theShellAndItsTasksAreTheProxyUserToo() throws Exception {
    Result result =
        new Command(directory, Layout.HOME.resolve("bin/spark-shell"), "--proxy-user", "bob")
            .with("HADOOP_USER_NAME", "me")
            .withInput(
                """
                1 + 1
                import org.apache.hadoop.security.UserGroupInformation
                String who() throws IOException { return UserGroupInformation.getCurrentUser().getUserName(); }
                who()
                sc.range(0, 2).map(x -> who()).distinct().collect()
                """)
            .run();

    assertThat(result.out())
        .isEqualTo(
            """
            int $1 = 2
            Defined method who()
            String $2 = "bob"
            List<String> $3 = [bob]
            """);
    assertThat(result.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"exit, 7", "throw, 1", "fail, 1"})
  void aProgramOfAProxyUserEndsAsAnyOther(String what, int exitCode) throws Exception {
    Result usual = submit(List.of(), what).run();

    assertThat(usual.exitCode()).isEqualTo(exitCode);
    assertThat(submit(List.of("--proxy-user", "bob"), what).run()).isEqualTo(usual);
  }

  @Test
  void aPrincipalLogsInByItsKeytab() throws Exception {
    Result result = submit(login("alice@EXAMPLE.COM", keytab), "who").run();

    assertThat(result)
        .isEqualTo(
            new Result(
                0,
                """
                driver alice@EXAMPLE.COM (auth:KERBEROS)
                task alice@EXAMPLE.COM (auth:KERBEROS)
                login alice@EXAMPLE.COM (auth:KERBEROS)
                """,
                ""));
  }

  @Test
  void settingsMayComeFromFiles() throws Exception {
    Path conf = Files.createDirectory(directory.resolve("hadoop conf"));
    Files.writeString(
        conf.resolve("core-site.xml"),
        """
        <configuration>
          <property><name>hadoop.security.authentication</name><value>kerberos</value></property>
        </configuration>
        """);
    Path settings = directory.resolve("settings");
    Files.writeString(
        settings, "spark.kerberos.principal alice\nspark.kerberos.keytab " + keytab.toUri() + "\n");

    Result result =
        submit(List.of("--properties-file", settings.toString()), "who")
            .with("HADOOP_CONF_DIR", conf)
            .run();

    assertThat(result.out()).startsWith("driver alice@EXAMPLE.COM (auth:KERBEROS)\n");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void whoCanNotLogInIsToldWhyInOneLine() throws Exception {
    Path wrong = keytabWithOwnKey("alice@EXAMPLE.COM");
    Path stranger = keytabWithOwnKey("mallory@EXAMPLE.COM");

    assertRefused(
        login("alice@EXAMPLE.COM", wrong),
        "--principal: alice@EXAMPLE.COM can't log in with the keytab "
            + wrong
            + ": Integrity check on decrypted field failed");
    assertRefused(
        login("mallory@EXAMPLE.COM", stranger),
        "--principal: mallory@EXAMPLE.COM can't log in with the keytab "
            + stranger
            + ": Client not found in Kerberos database");
    assertRefused(
        login("mallory@EXAMPLE.COM", keytab), keytab + ": it has no key of that principal\n");
  }

  /// A key that the server has never seen.
  private Path keytabWithOwnKey(String principal) throws Exception {
    Path file = directory.resolve("own.keytab-" + principal);
    Keytab own = new Keytab();
    EncryptionKey key =
        EncryptionHandler.string2Key(
            principal, "a password", EncryptionType.AES128_CTS_HMAC_SHA1_96);
    own.addEntry(new KeytabEntry(new PrincipalName(principal), KerberosTime.now(), 1, key));
    own.store(file.toFile());
    return file;
  }

  private void assertRefused(List<String> options, String message) throws Exception {
    Result result = submit(options, "who").run();

    assertThat(result.err()).startsWith("Error: ").contains(message).hasLineCount(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.exitCode()).isEqualTo(1);
  }

  @Test
  void whereHadoopAsksForNoProofThatIsSaid() throws Exception {
    Result result =
        submit(List.of("--principal", "alice@EXAMPLE.COM", "--keytab", keytab.toString()), "who")
            .with("HADOOP_USER_NAME", "me")
            .run();

    assertThat(result.out()).startsWith("driver me (auth:SIMPLE)\n");
    assertThat(result.err())
        .isEqualTo(
            "Warning: --principal has no effect, as hadoop.security.authentication is simple: set"
                + " it to kerberos in the core-site.xml of HADOOP_CONF_DIR\n");
  }

  @Test
  void aLongProgramLogsInAgain() throws Exception {
    Path shortLived = directory.resolve("krb5.conf");
    Files.writeString(
        shortLived,
        Files.readString(server.getKrb5conf().toPath())
            .replace("[libdefaults]", "[libdefaults]\n    ticket_lifetime = 5s"));
    List<String> options = new ArrayList<>(login("alice@EXAMPLE.COM", keytab));
    options.addAll(List.of("-c", "spark.kerberos.relogin.period=100ms"));
    options.addAll(List.of("-c", "spark.hadoop.hadoop.kerberos.min.seconds.before.relogin=1"));

    Result result =
        submit(options, "renewed")
            .with("SPARK_SUBMIT_OPTS", "-Djava.security.krb5.conf=" + shortLived)
            .run();

    assertThat(result).isEqualTo(new Result(0, "another ticket\n", ""));
  }

  @Test
  void anApplicationFindsHadoopsApiAndItsFiles() throws Exception {
    Path conf = Files.createDirectory(directory.resolve("conf"));
    Files.writeString(
        conf.resolve("core-site.xml"),
        "<configuration><property><name>acme.x</name><value>y</value></property></configuration>");

    Result settings =
        submit(List.of(), "settings", "acme.x", "fs.defaultFS").with("HADOOP_CONF_DIR", conf).run();
    Result files = submit(List.of(), "files", conf.toString()).run();

    assertThat(settings)
        .isEqualTo(new Result(0, "settings=null\nacme.x=y\nfs.defaultFS=file:///\n", ""));
    assertThat(files).isEqualTo(new Result(0, "core-site.xml\n", ""));
  }

  @Test
  void aSubmissionWithoutHadoopOpensNothingOfIt() throws Exception {
    Path log = directory.resolve("log");

    Result result =
        new Command(directory, Layout.HOME.resolve("bin/run-example"), "SparkPi", "2")
            .with("SPARK_SUBMIT_OPTS", "-Xlog:class+load:file=" + log)
            .run();

    assertThat(result.exitCode()).isZero();
    assertThat(Files.readString(log))
        .contains("io.kiln.base.classpath.SharedLoader ")
        .doesNotContain("org.apache.hadoop.", "io.kiln.hadoop.");
    assertThat(Layout.jars("jars/hadoop")).hasSize(4);
    assertThat(Layout.jars("jars/engine"))
        .noneMatch(jar -> jar.getFileName().toString().contains("hadoop"));
  }

  private static List<String> login(String principal, Path keytab) {
    return List.of("--principal", principal, "--keytab", keytab.toString(), "-c", KERBEROS);
  }

  private Command submit(List<String> options, String... arguments) {
    List<Object> words = new ArrayList<>();
    words.add(Layout.HOME.resolve("bin/spark-submit"));
    words.addAll(List.of("--master", "local[2]"));
    words.addAll(options);
    words.addAll(List.of("--class", "hadoop.HadoopUser", application));
    words.addAll(List.of(arguments));
    return new Command(directory, words.toArray())
        .with("SPARK_SUBMIT_OPTS", "-Djava.security.krb5.conf=" + server.getKrb5conf());
  }
}
