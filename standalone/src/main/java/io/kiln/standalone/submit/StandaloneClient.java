package io.kiln.standalone.submit;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.api.Version;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Setting;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.StandaloneSettings;
import io.kiln.base.settings.TlsSettings;
import io.kiln.driver.cluster.ApplicationSecret;
import io.kiln.launcher.Refusal;
import io.kiln.standalone.node.ClusterSecret;
import io.kiln.standalone.rest.Json;
import io.kiln.standalone.submit.RestMaster.Unreachable;
import io.kiln.submit.cluster.ClusterClient;
import io.kiln.submit.cluster.DriverRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Hands drivers to the masters of a standalone cluster. With several, each is asked in turn until
/// one that leads answers.
public final class StandaloneClient implements ClusterClient {
  private static final String SCHEME = "spark://";
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

  /// What begins the answer of a master that does not lead.
  private static final String STANDBY = "Current state is not alive";

  /// Asks one master.
  private interface Question {
    Map<String, Object> ask(RestMaster master) throws Unreachable;
  }

  @Override
  public boolean reaches(String master) {
    return master.startsWith(SCHEME);
  }

  @Override
  public void submit(DriverRequest driver) {
    String master = driver.settings().get(MASTER);
    say("Submitting a request to launch an application in " + master + ".");
    Map<String, Object> request = request(driver);
    Map<String, Object> answer = answer(driver.settings(), each -> each.create(request));
    String id = RestMaster.line(answer.getOrDefault("submissionId", ""));
    say("Submission successfully created as " + id + ". Polling submission state...");
    tellState(id, driver.settings());
    show(answer);
  }

  private static void tellState(String id, Map<String, String> settings) {
    Map<String, Object> status;
    try {
      status = statusOf(id, settings);
    } catch (Refusal e) {
      say("Its state is not known: " + e.getMessage()); // but it was accepted
      return;
    }
    say("State of driver " + id + " is now " + status.get("driverState") + ".");
    if (status.containsKey("workerId")) {
      say(
          "Driver is running on worker "
              + status.get("workerId")
              + " at "
              + status.get("workerHostPort")
              + ".");
    }
  }

  @Override
  public void status(String submissionId, Map<String, String> settings) {
    show(statusOf(submissionId, settings));
  }

  private static Map<String, Object> statusOf(String id, Map<String, String> settings) {
    String checked = plain(id);
    say(
        "Submitting a request for the status of submission "
            + checked
            + " in "
            + settings.get(MASTER)
            + ".");
    return answer(settings, master -> master.status(checked));
  }

  @Override
  public void kill(String submissionId, Map<String, String> settings) {
    String checked = plain(submissionId);
    say("Submitting a request to kill submission " + checked + " in " + settings.get(MASTER) + ".");
    show(answer(settings, master -> master.kill(checked)));
  }

  // ---- asking ---------------------------------------------------------------------------------

  /// @return the answer of the first master that leads, which says that it was done
  /// @throws Refusal if there is none
  private static Map<String, Object> answer(Map<String, String> settings, Question question) {
    List<String> failures = new ArrayList<>();
    for (RestMaster master : masters(settings)) {
      try {
        Map<String, Object> answer = question.ask(master);
        String message = RestMaster.line(answer.getOrDefault("message", ""));
        if (Boolean.TRUE.equals(answer.get("success"))) {
          return answer;
        }
        if (!message.startsWith(STANDBY)) {
          show(answer);
          throw new Refusal(
              message.isEmpty() ? "The master at " + master + " does not know it" : message);
        }
        failures.add(master + ": " + message);
      } catch (Unreachable e) {
        failures.add(master + ": " + e.getMessage());
      }
    }
    throw new Refusal(
        "No master takes submissions over HTTP ("
            + String.join("; ", failures)
            + "): name its port for them, 6066 unless spark.master.rest.port of the master says"
            + " otherwise");
  }

  private static List<RestMaster> masters(Map<String, String> settings) {
    Optional<byte[]> key = key(settings);
    List<RestMaster> masters = new ArrayList<>();
    for (String address : settings.get(MASTER).substring(SCHEME.length()).split(",", -1)) {
      int colon = address.lastIndexOf(':');
      if (colon < 1 || address.indexOf('/') >= 0 || address.indexOf('@') >= 0) {
        throw new Refusal(
            "--master is '"
                + settings.get(MASTER)
                + "', which names no standalone master: use spark://HOST:PORT[,HOST:PORT...]");
      }
      masters.add(new RestMaster(address, key));
    }
    return masters;
  }

  private static Optional<byte[]> key(Map<String, String> texts) {
    KilnConf conf = new KilnConf(false);
    texts.forEach(conf::set);
    Settings settings = Settings.of(conf);
    try {
      return ClusterSecret.find(settings).map(ApplicationSecret::bytes);
    } catch (KilnException e) {
      if (isSecretGiven(settings)) {
        throw new Refusal(e.getMessage());
      }
      return Optional.empty(); // a cluster that needs none may be meant
    }
  }

  private static boolean isSecretGiven(Settings settings) {
    return settings.isSet(NetworkSettings.SECRET)
        || settings.isSet(NetworkSettings.SECRET_FILE)
        || settings.isSet(StandaloneSettings.SECRET_FILE);
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

  private static Map<String, Object> request(DriverRequest driver) {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("action", "CreateSubmissionRequest");
    request.put("appArgs", driver.arguments());
    request.put("appResource", driver.resource());
    request.put("clientSparkVersion", Version.CURRENT);
    request.put("environmentVariables", environment(driver.environment()));
    request.put("mainClass", driver.mainClass());
    request.put("sparkProperties", properties(driver.settings()));
    return request;
  }

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

  private static void show(Map<String, Object> answer) {
    say("Server responded with " + answer.get("action") + ":");
    say(Json.write(answer));
  }

  private static void say(String line) {
    System.err.println(line);
  }
}
