package io.kiln.daemon.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.spark.deploy.rest.CreateSubmissionRequest;
import org.apache.spark.deploy.rest.CreateSubmissionResponse;
import org.apache.spark.deploy.rest.KillSubmissionResponse;
import org.apache.spark.deploy.rest.RestSubmissionClient;
import org.apache.spark.deploy.rest.SubmissionStatusResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.jdk.javaapi.CollectionConverters;

/// Apache Spark's own client, from its jar, submits to the gateway.
@Timeout(120)
class ApacheSparkClientTest {
  private final FakeMaster master = new FakeMaster();
  private RestGateway gateway;
  private RestSubmissionClient client;

  @BeforeEach
  void start() {
    gateway = RestGateway.start(Options.open(), master);
    client = new RestSubmissionClient("spark://127.0.0.1:" + gateway.port());
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private CreateSubmissionRequest request() {
    return client.constructSubmitRequest(
        "hdfs://store/app.jar",
        "org.example.Pi",
        new String[] {"10"},
        scala.collection.immutable.Map.from(
            CollectionConverters.asScala(
                Map.of(
                    "spark.app.name",
                    "pi",
                    "spark.master",
                    "spark://127.0.0.1:" + gateway.port()))),
        scala.collection.immutable.Map.from(
            CollectionConverters.asScala(Map.of("SPARK_SCALA", "x"))));
  }

  @Test
  void itSubmitsAsksKillsAndClears() {
    CreateSubmissionResponse created =
        (CreateSubmissionResponse) client.createSubmission(request());
    assertThat(created.success()).isEqualTo(true);
    String id = created.submissionId();
    assertThat(id).isEqualTo("driver-20261128120000-0000");
    assertThat(master.only().command().arguments())
        .isEqualTo(
            List.of("--deploy-mode", "client", "--class", "org.example.Pi", "{{USER_JAR}}", "10"));
    assertThat(master.only().properties().get("spark.master")).isEqualTo("spark://127.0.0.1:7077");
    assertThat(master.only().command().environment()).containsEntry("SPARK_SCALA", "x");

    SubmissionStatusResponse status =
        (SubmissionStatusResponse) client.requestSubmissionStatus(id, false);
    assertThat(status.driverState()).isEqualTo("RUNNING");
    assertThat(status.workerId()).isEqualTo("worker-1");
    assertThat(status.workerHostPort()).isEqualTo("host-1:7078");
    assertThat(((KillSubmissionResponse) client.killSubmission(id)).success()).isEqualTo(true);
    status = (SubmissionStatusResponse) client.requestSubmissionStatus(id, false);
    assertThat(status.driverState()).isEqualTo("KILLED");
    assertThat(((KillSubmissionResponse) client.killSubmission("driver-9")).success())
        .isEqualTo(false);
    assertThat(client.killAllSubmissions().success()).isEqualTo(true);
    assertThat(client.clear().success()).isEqualTo(true);
    assertThat(client.readyz().success()).isEqualTo(true);
    assertThat(master.drivers()).isEmpty();
  }

  @Test
  void itGoesOnFromAMasterThatStandsBy() {
    FakeMaster standby = new FakeMaster();
    standby.standBy();
    try (RestGateway other = RestGateway.start(Options.open(), standby)) {
      String id = ((CreateSubmissionResponse) client.createSubmission(request())).submissionId();
      client =
          new RestSubmissionClient(
              "spark://127.0.0.1:" + other.port() + ",127.0.0.1:" + gateway.port());
      assertThat(client.requestSubmissionStatus(id, false).success()).isEqualTo(true);
      assertThat(client.createSubmission(request()).success()).isEqualTo(true);
      assertThat(client.killSubmission(id).success()).isEqualTo(true);
      assertThat(standby.drivers()).isEmpty();
    }
  }

  @Test
  void itUnderstandsWhyItIsRefused() {
    CreateSubmissionRequest request = request();
    request.appResource_$eq("jar:x");
    assertThat(client.createSubmission(request).message()).contains("appResource");
    assertThat(master.drivers()).isEmpty();
  }
}
