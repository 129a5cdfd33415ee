package sample;

import io.kiln.launcher.Refusal;
import io.kiln.submit.cluster.ClusterClient;
import io.kiln.submit.cluster.DriverRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Runs a driver as a process on this machine, and waits for it.
final class SampleClient implements ClusterClient {

  @Override
  public int submit(DriverRequest driver) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getenv("SPARK_HOME"), "bin", "spark-submit").toString());
    command.addAll(List.of("--master", driver.settings().get("spark.master")));
    command.addAll(List.of("--class", driver.mainClass(), driver.resource()));
    command.addAll(driver.arguments());
    try {
      return new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (IOException | InterruptedException e) {
      throw new Refusal("The driver can't be run: " + e.getMessage());
    }
  }

  @Override
  public void status(String submissionId, Map<String, String> settings) {
    System.err.println(submissionId + " is over");
  }

  @Override
  public void kill(String submissionId, Map<String, String> settings) {
    throw new Refusal(submissionId + " is over");
  }
}
