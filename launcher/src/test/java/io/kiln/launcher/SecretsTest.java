package io.kiln.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SecretsTest {

  @Test
  void aCommandIsShownWithoutItsSecrets() {
    List<String> command =
        List.of(
            "java",
            "-Dx=y",
            "-Djavax.net.ssl.keyStorePassword=a",
            "--conf",
            "spark.authenticate.secret=b=c",
            "--conf=spark.hadoop.fs.s3a.access.key=d",
            "spark.driver.extraJavaOptions=-Da=1 -DTOKEN=e -Db=2",
            "https://me:f@host/repository",
            "--password",
            "g",
            "--password=h",
            "app.jar",
            "the secret=");

    assertThat(Secrets.redact(command))
        .containsExactly(
            "java",
            "-Dx=y",
            "-Djavax.net.ssl.keyStorePassword=" + Secrets.REDACTED,
            "--conf",
            "spark.authenticate.secret=" + Secrets.REDACTED,
            "--conf=spark.hadoop.fs.s3a.access.key=" + Secrets.REDACTED,
            "spark.driver.extraJavaOptions=-Da=1 -DTOKEN=" + Secrets.REDACTED,
            "https://***@host/repository",
            "--password",
            Secrets.REDACTED,
            "--password=" + Secrets.REDACTED,
            "app.jar",
            "the secret=" + Secrets.REDACTED);
  }

  @Test
  void secretsAreKnownByTheirNames() {
    for (String name :
        List.of(
            "spark.hadoop.fs.azure.account.key.store.dfs.core.windows.net",
            "spark.hadoop.fs.s3a.access.key",
            "spark.hadoop.fs.s3a.secret.key",
            "my.passphrase",
            "db_passwd",
            "apiKey",
            "api-key",
            "x.pwd",
            "spark.hadoop.fs.azure.sas.container",
            "spark.kiln.driver.secret",
            "client.key")) {
      assertThat(Secrets.isNamedBy(name)).as(name).isTrue();
    }
    for (String name : List.of("spark.app.name", "spark.kryo.registrator", "keyspace", "monkey")) {
      assertThat(Secrets.isNamedBy(name)).as(name).isFalse();
    }
  }

  @Test
  void whereASecretIsAndWhetherThereIsOneIsNone() {
    assertThat(Secrets.isGivenBy("spark.authenticate.secret", "hush")).isTrue();
    assertThat(Secrets.isGivenBy("spark.driver.extraJavaOptions", "-Da=b -Dpassword=x")).isTrue();
    assertThat(Secrets.isGivenBy("spark.jars.repositories", "https://me:x@host/")).isTrue();
    assertThat(Secrets.isGivenBy("spark.authenticate.secret.file", "secret")).isFalse();
    assertThat(Secrets.isGivenBy("spark.authenticate.secretBitLength", "256")).isFalse();
    assertThat(Secrets.isGivenBy("spark.hadoop.token.enabled", "true")).isFalse();
    assertThat(Secrets.isGivenBy("spark.kerberos.keytab", "x.keytab")).isFalse();
    assertThat(Secrets.isGivenBy("spark.app.name", "an application")).isFalse();
  }
}
