package io.kiln.standalone.submit;

import io.kiln.api.KilnConf;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Setting;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.SubmissionSettings;
import io.kiln.base.settings.TlsSettings;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.launcher.Refusal;
import io.kiln.standalone.request.RequestedDriver;
import io.kiln.standalone.submit.Gateway.Answer;
import io.kiln.standalone.submit.Gateway.Driver;
import io.kiln.submit.cluster.ClusterClient;
import io.kiln.submit.cluster.DriverRequest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/// Hands drivers to the masters of a standalone cluster.
public final class StandaloneClient implements ClusterClient {
  private static final String MASTER = "spark.master";

  /// Of the host on which they are set, and no other's.
  private static final Set<String> VARIABLES_OF_ONE_HOST =
      Set.of(
          "SPARK_ENV_LOADED",
          "SPARK_HOME",
          "SPARK_CONF_DIR",
          "SPARK_LOCAL_IP",
          "SPARK_LOCAL_HOSTNAME",
          "SPARK_LOCAL_DIRS");

  @Override
  public boolean reaches(String master) {
    return master.startsWith(Masters.SCHEME);
  }

  @Override
  public int submit(DriverRequest driver) {
    try (Masters masters = masters(driver.settings())) {
      say("Submitting a request to launch an application in " + masters + ".");
      RequestedDriver request =
          new RequestedDriver(
              driver.resource(),
              driver.mainClass(),
              driver.arguments(),
              environment(driver.environment()),
              properties(driver.settings()));
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

  private static Map<String, String> environment(Map<String, String> own) {
    Map<String, String> environment = new TreeMap<>();
    own.forEach(
        (name, value) -> {
          if (name.startsWith("SPARK_") && !VARIABLES_OF_ONE_HOST.contains(name)) {
            environment.put(name, value);
          }
        });
    return environment;
  }

  /// Everybody on the way can read what is sent: the secret that says who may submit, and the
  /// passwords of keys, stay here. A driver finds its host's.
  private static Map<String, String> properties(Map<String, String> settings) {
    Map<String, String> properties = new TreeMap<>(settings);
    properties.remove(NetworkSettings.SECRET.key());
    properties.remove(NetworkSettings.SECRET_FILE.key());
    for (Setting<String> password : TlsSettings.passwords()) {
      properties.remove(password.key());
      password.general().ifPresent(general -> properties.remove(general.key()));
    }
    return properties;
  }

  // ---- what people see ------------------------------------------------------------------------

  private static void say(String line) {
    System.err.println(line);
  }
}
