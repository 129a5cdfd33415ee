package io.kiln.standalone.client;

import io.kiln.base.settings.ApplicationSettings;
import io.kiln.base.settings.ClusterSettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.StandaloneSettings;
import io.kiln.cluster.client.ClientOptions;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.Command;
import io.kiln.driver.cluster.ExecutorJvm;
import io.kiln.executor.process.ExecutorMain;
import io.kiln.network.transport.NodeAddress;
import io.kiln.process.SharedSecret;
import java.util.List;
import java.util.Optional;

/// What an application asks a master for.
///
/// @param driver where executors find the driver
/// @param driverId of the driver, if the cluster runs it
record ApplicationRequest(
    Settings settings,
    NodeAddress driver,
    Optional<SharedSecret> secret,
    Optional<String> driverId) {
  private static final String UNNAMED = "unnamed";
  private static final long DEFAULT_MEMORY_BYTES = 1L << 30;

  ApplicationDescription describe() {
    long memory = settings.find(ClusterSettings.MEMORY).orElse(DEFAULT_MEMORY_BYTES);
    return new ApplicationDescription(
        settings.find(ApplicationSettings.APP_NAME).orElse(UNNAMED),
        settings.find(StandaloneSettings.MAX_CORES),
        settings.find(ClusterSettings.CORES),
        Math.toIntExact(Math.max(1, memory >> 20)),
        new Command(
            ExecutorMain.class.getName(),
            List.of(
                "--driver-url",
                "spark://CoarseGrainedScheduler@" + driver,
                "--executor-id",
                "{{EXECUTOR_ID}}",
                "--hostname",
                "{{HOSTNAME}}",
                "--cores",
                "{{CORES}}",
                "--app-id",
                "{{APP_ID}}",
                "--worker-url",
                "{{WORKER_URL}}"),
            ExecutorJvm.environment(settings),
            List.of(),
            List.of(),
            ExecutorJvm.options(settings)),
        ExecutorJvm.secrets(settings, secret),
        System.getProperty("user.name"),
        "",
        ClientOptions.shareOf(settings),
        driverId);
  }
}
