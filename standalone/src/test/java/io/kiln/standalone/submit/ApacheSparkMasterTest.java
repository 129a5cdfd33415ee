package io.kiln.standalone.submit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.deploy.master.Master;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Our `spark-submit` submits to a master of Apache Spark's, which runs in a process of its own.
@Timeout(120)
class ApacheSparkMasterTest {
  private static final Pattern LISTENING =
      Pattern.compile("REST server for submitting applications on \\S+ with port (\\d+)");
  private static final Pattern ID = Pattern.compile("\"submissionId\" : \"(driver-[0-9-]+)\"");

  @TempDir private Path directory;

  private Process startMaster() throws IOException {
    List<String> command = SubmitProcess.java();
    command.addAll(
        List.of(
            "-Dslf4j.provider=org.apache.logging.slf4j.SLF4JServiceProvider",
            "-Dspark.master.rest.enabled=true",
            "-Dspark.master.rest.port=0",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            Master.class.getName(),
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--webui-port",
            "0"));
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .start();
  }

  private static String port(BufferedReader log) throws IOException {
    StringBuilder said = new StringBuilder();
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      said.append(line).append('\n');
      Matcher listening = LISTENING.matcher(line);
      if (listening.find()) {
        return listening.group(1);
      }
    }
    throw new AssertionError("it ended: " + said);
  }

  @Test
  void aDriverIsSubmittedWatchedAndKilled() throws Exception {
    Path conf =
        Files.writeString(directory.resolve("submit.conf"), "spark.master.rest.enabled true\n");
    Process master = startMaster();
    try {
      BufferedReader log = master.inputReader(UTF_8); // ends with the process
      String here = "127.0.0.1:" + port(log);
      Thread _ = Thread.ofVirtual().start(() -> log.lines().forEach(_ -> {})); // never blocks it
      SubmitProcess.Ended created =
          SubmitProcess.run(
              directory,
              here,
              conf,
              "--deploy-mode",
              "cluster",
              "--class",
              "org.example.Pi",
              "/nowhere/app.jar",
              "10");
      assertThat(created.exitCode()).as(created.said()).isZero();
      Matcher id = ID.matcher(created.said());
      assertThat(id.find()).as(created.said()).isTrue();
      assertThat(created.said()).contains("State of driver " + id.group(1) + " is now SUBMITTED.");

      assertThat(SubmitProcess.run(directory, here, conf, "--kill", id.group(1)).said())
          .contains("\"success\" : true");
      assertThat(SubmitProcess.run(directory, here, conf, "--status", id.group(1)).said())
          .contains("\"driverState\" : \"KILLED\"");
      SubmitProcess.Ended unknown = SubmitProcess.run(directory, here, conf, "--kill", "driver-9");
      assertThat(unknown.exitCode()).isEqualTo(1);
      assertThat(unknown.said()).contains("\nError: Driver driver-9");
    } finally {
      master.destroyForcibly().waitFor();
    }
  }
}
