package io.kiln.standalone.submit;

import io.kiln.api.KilnConf;
import io.kiln.base.settings.PrivateSettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.SubmissionSettings;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.launcher.Refusal;
import io.kiln.node.RequestedDriver;
import io.kiln.standalone.submit.Gateway.Answer;
import io.kiln.standalone.submit.Gateway.Driver;
import io.kiln.submit.cluster.ClusterClient;
import io.kiln.submit.cluster.DriverRequest;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// Hands drivers to the masters of a standalone cluster.
final class StandaloneClient implements ClusterClient {
  private static final String MASTER = "spark.master";

  @Override
  public int submit(DriverRequest driver) {
    try (Masters masters = masters(driver.settings())) {
      say("Submitting a request to launch an application in " + masters + ".");
      RequestedDriver request =
          new RequestedDriver(
              driver.resource(),
              driver.mainClass(),
              driver.arguments(),
              environment(),
              PrivateSettings.without(driver.settings()));
      String requestId = UUID.randomUUID().toString();
      Answer answer = done(masters.ask(master -> master.submit(request, requestId)));
      String id = answer.driver().map(Driver::id).orElse("");
      say("Submission successfully created as " + id + ". Polling submission state...");
      Settings settings = Settings.of(conf(driver.settings()));
      if (!settings.get(SubmissionSettings.WAIT)) {
        tellState(id, masters);
        answer.verbatim().ifPresent(StandaloneClient::say);
        return 0;
      }
      try (DriverWatch watch =
          new DriverWatch(
              id, masters, driver.settings(), settings.get(SubmissionSettings.KILL_ON_INTERRUPT))) {
        return watch.await();
      }
    }
  }

  private static void tellState(String id, Masters masters) {
    Answer status;
    try {
      say("Submitting a request for the status of submission " + id + " in " + masters + ".");
      status = masters.ask(master -> master.status(id));
    } catch (Refusal e) {
      say("Its state is not known: " + e.getMessage()); // but it was accepted
      return;
    }
    status.driver().ifPresent(driver -> show(driver, status.message()));
  }

  private static void show(Driver driver, String message) {
    say(driver.line(message));
    if (driver.state().equals(Optional.of(DriverState.RUNNING))) {
      driver.worker().ifPresent(worker -> say("Driver is running on worker " + worker + "."));
    }
  }

  @Override
  public void status(String submissionId, Map<String, String> settings) {
    String id = plain(submissionId);
    try (Masters masters = masters(settings)) {
      say("Submitting a request for the status of submission " + id + " in " + masters + ".");
      Answer answer = done(masters.ask(master -> master.status(id)));
      show(answer, () -> answer.driver().ifPresent(driver -> show(driver, answer.message())));
    }
  }

  @Override
  public void kill(String submissionId, Map<String, String> settings) {
    String id = plain(submissionId);
    try (Masters masters = masters(settings)) {
      say("Submitting a request to kill submission " + id + " in " + masters + ".");
      Answer answer = done(masters.ask(master -> master.kill(id)));
      show(answer, () -> say(answer.message() + "."));
    }
  }

  private static void show(Answer answer, Runnable otherwise) {
    answer.verbatim().ifPresentOrElse(StandaloneClient::say, otherwise);
  }

  /// @throws Refusal if the master says that it is not
  private static Answer done(Answer answer) {
    if (!answer.success()) {
      answer.verbatim().ifPresent(StandaloneClient::say);
      throw new Refusal(
          answer.message().isEmpty() ? "The master does not know it" : answer.message());
    }
    return answer;
  }

  private static Masters masters(Map<String, String> settings) {
    return new Masters(settings.get(MASTER), settings);
  }

  private static KilnConf conf(Map<String, String> texts) {
    KilnConf conf = new KilnConf(false);
    texts.forEach(conf::set);
    return conf;
  }

  private static String plain(String id) {
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      if (!Character.isLetterOrDigit(c) && c != '-' && c != '_' && c != '.') {
        throw new Refusal(
            "'" + id + "' is no ID of a submission, such as driver-20260131235959-0000");
      }
    }
    return id;
  }

  // ---- what is sent ---------------------------------------------------------------------------

  /// Of the submitter's environment goes out who he is, and nothing else: options that count are
  /// settings by now, and others may hold what is nobody's business. What a driver is to have there
  /// is asked for by `spark.kiln.driverEnv.NAME`.
  private static Map<String, String> environment() {
    return Map.of("SPARK_USER", System.getProperty("user.name"));
  }

  // ---- what people see ------------------------------------------------------------------------

  private static void say(String line) {
    System.err.println(line);
  }
}
