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
}
