package io.kiln.daemon.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.base.machine.Address;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ApplicationDescription.Share;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.ClusterStatus;
import io.kiln.cluster.protocol.ClusterStatus.ApplicationStatus;
import io.kiln.cluster.protocol.Command;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.DriverStatus;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.MasterIdentity;
import io.kiln.cluster.protocol.MasterState;
import io.kiln.cluster.protocol.WorkerDescription;
import io.kiln.cluster.protocol.WorkerState;
import io.kiln.cluster.worker.WorkerStatus;
import io.kiln.http.Json;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The texts that are expected have the fields, their order and their types of answers that masters
/// and workers of Apache Spark 4.2.0 gave.
class JsonTest {
  private static final Instant SUBMITTED = Instant.parse("2026-11-28T17:49:36Z");

  private static final ApplicationDescription APPLICATION =
      new ApplicationDescription(
          "Shape",
          Optional.of(1),
          Optional.empty(),
          512,
          new Command(
              "a.Executor",
              List.of("--app-id", "{{APP_ID}}"),
              Map.of("TOKEN", "hidden-1"),
              List.of(),
              List.of(),
              List.of("-Dstore.password=hidden-2", "-Xss1m")),
          Map.of("_SPARK_AUTH_SECRET", "hidden-3"),
          "ada",
          "",
          Share.DEFAULT,
          Optional.empty());

  private static final ClusterStatus CLUSTER =
      new ClusterStatus(
          List.of(
              new ClusterStatus.WorkerStatus(
                  "worker-1",
                  new WorkerDescription(
                      new Address("h:7078", "Worker"), "h", 7078, 2, 2048, "http://h:8081"),
                  WorkerState.ALIVE,
                  "it could not start 2 executors in a row",
                  1,
                  512,
                  Instant.ofEpochMilli(1795888174274L))),
          List.of(
              new ApplicationStatus(
                  "app-1",
                  APPLICATION,
                  ApplicationState.RUNNING,
                  SUBMITTED,
                  Optional.empty(),
                  1,
                  "",
                  List.of())),
          List.of(),
          List.of(),
          List.of(
              new DriverStatus(
                  "driver-1",
                  DriverState.ERROR,
                  SUBMITTED,
                  new DriverDescription(
                      "file:/a.jar",
                      256,
                      1,
                      false,
                      new Command(
                          "io.kiln.Submit",
                          List.of("--class", "org.Pi", "{{USER_JAR}}"),
                          Map.of(),
                          List.of(),
                          List.of(),
                          List.of()),
                      Map.of("spark.store.password", "hidden-4")),
                  Optional.of("worker-1"),
                  Optional.of("h:7078"),
                  "",
                  Optional.empty())));

  private static Map<String, Object> master(String field) {
    return MasterJson.write(
        new MasterIdentity(1, "spark://h:7077", MasterState.ALIVE),
        CLUSTER,
        field,
        SUBMITTED.plusMillis(2561),
        ZoneId.of("UTC"));
  }

  @Test
  void aMasterHasSparksFields() {
    assertThat(Json.write(master("")))
        .isEqualTo(
            """
            {
              "url" : "spark://h:7077",
              "workers" : [ {
                "id" : "worker-1",
                "host" : "h",
                "port" : 7078,
                "webuiaddress" : "http://h:8081",
                "cores" : 2,
                "coresused" : 1,
                "coresfree" : 1,
                "memory" : 2048,
                "memoryused" : 512,
                "memoryfree" : 1536,
                "resources" : { },
                "resourcesused" : { },
                "resourcesfree" : { },
                "state" : "ALIVE",
                "leftout" : "it could not start 2 executors in a row",
                "lastheartbeat" : 1795888174274
              } ],
              "aliveworkers" : 1,
              "cores" : 2,
              "coresused" : 1,
              "memory" : 2048,
              "memoryused" : 512,
              "resources" : [ { } ],
              "resourcesused" : [ { } ],
              "activeapps" : [ {
                "id" : "app-1",
                "starttime" : 1795888176000,
                "name" : "Shape",
                "cores" : 1,
                "user" : "ada",
                "memoryperexecutor" : 512,
                "memoryperslave" : 512,
                "resourcesperexecutor" : [ ],
                "resourcesperslave" : [ ],
                "submitdate" : "Sat Nov 28 17:49:36 UTC 2026",
                "state" : "RUNNING",
                "duration" : 2561
              } ],
              "completedapps" : [ ],
              "activedrivers" : [ ],
              "completeddrivers" : [ {
                "id" : "driver-1",
                "starttime" : "1795888176000",
                "state" : "ERROR",
                "cores" : 1,
                "memory" : 256,
                "resources" : { },
                "submitdate" : "Sat Nov 28 17:49:36 UTC 2026",
                "worker" : "worker-1",
                "mainclass" : "org.Pi"
              } ],
              "status" : "ALIVE"
            }\
            """);
  }

  @Test
  void oneFieldCanBeAskedFor() {
    assertThat(Json.write(master("aliveworkers"))).isEqualTo("{\n  \"aliveworkers\" : 1\n}");
    assertThat(Json.write(master("nonsense"))).isEqualTo("{\n  \"nonsense\" : \"\"\n}");
    assertThat(Json.write(master("clusterutilization")))
        .isEqualTo(
            """
            {
              "waitingDrivers" : 0,
              "cores" : 2,
              "coresused" : 1,
              "coresutilization" : 50,
              "memory" : 2048,
              "memoryused" : 512,
              "memoryutilization" : 25
            }\
            """);
  }

  @Test
  void aWorkerHasSparksFieldsAndNoSecrets() {
    String text =
        Json.write(
            WorkerJson.write(
                new WorkerStatus(
                    "r",
                    "worker-1",
                    "spark://h:7077",
                    "http://h:8080",
                    2,
                    1,
                    2048,
                    512,
                    List.of(
                        new WorkerStatus.Executor(
                            "app-1", 0, 512, ExecutorState.RUNNING, APPLICATION)),
                    List.of()),
                ""));
    assertThat(text)
        .doesNotContain("hidden")
        .isEqualTo(
            """
            {
              "id" : "worker-1",
              "masterurl" : "spark://h:7077",
              "masterwebuiurl" : "http://h:8080",
              "cores" : 2,
              "coresused" : 1,
              "memory" : 2048,
              "memoryused" : 512,
              "resources" : { },
              "resourcesused" : { },
              "executors" : [ {
                "id" : 0,
                "memory" : 512,
                "resources" : { },
                "appid" : "app-1",
                "appdesc" : {
                  "name" : "Shape",
                  "cores" : 1,
                  "memoryperexecutor" : 512,
                  "resourcesperexecutor" : [ ],
                  "memoryperslave" : 512,
                  "resourcesperslave" : [ ],
                  "user" : "ada",
                  "command" : "a.Executor --app-id {{APP_ID}} with -Dstore.password=*********(redacted) -Xss1m"
                }
              } ],
              "finishedexecutors" : [ ]
            }\
            """);
  }
}
