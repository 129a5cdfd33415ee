package io.kiln.standalone.submit;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.RestSettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.StandaloneSettings;
import io.kiln.base.settings.SubmissionSettings;
import io.kiln.launcher.Refusal;
import io.kiln.network.transport.NodeAddress;
import io.kiln.node.ClusterUrl;
import io.kiln.node.KeyFiles;
import io.kiln.node.RoleKey;
import io.kiln.process.NetworkSetup;
import io.kiln.standalone.submit.Gateway.Answer;
import io.kiln.standalone.submit.Gateway.Unreachable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The masters of a cluster, of which one leads. They are asked in the cluster's own protocol, or
/// over HTTP where that was asked for (`spark.master.rest.enabled`), whatever their ports answer:
/// who is not proved to be a master is told nothing, unless the user wants it so. One that is
/// silent keeps nobody from asking the others. Used by one thread.
final class Masters implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(500);

  /// How long one of several may take to answer before the next is asked.
  private static final Duration PATIENCE_WITH_ONE = Duration.ofSeconds(5);

  /// Asks one master.
  interface Question {
    Answer ask(Gateway master) throws Unreachable;
  }

  private final String url;
  private final Settings settings;
  private final Duration answersWithin;
  private final Optional<RoleKey> key;
  private final Optional<String> whyNoKey;
  private final Map<String, Optional<Gateway>> gateways = new LinkedHashMap<>();
  private Optional<NativeClient> client = Optional.empty();

  /// @param url a [ClusterUrl]
  /// @param texts settings of the submission
  /// @throws Refusal if the secret can't be read
  Masters(String url, Map<String, String> texts) {
    this.url = url;
    KilnConf conf = new KilnConf(false);
    texts.forEach(conf::set);
    this.settings = Settings.of(conf);
    this.answersWithin = NetworkSetup.askTimeout(settings);
    for (String address : ClusterUrl.parse(url).orElseThrow().masters()) {
      gateways.put(address, Optional.empty());
    }
    Optional<RoleKey> found = Optional.empty();
    Optional<String> why = Optional.empty();
    try {
      found = KeyFiles.ofSubmitter(settings);
    } catch (KilnException e) {
      if (isSecretGiven()) {
        throw new Refusal(e.getMessage());
      }
      why = Optional.of(e.getMessage()); // over HTTP, a cluster that needs none may be meant
    }
    this.key = found;
    this.whyNoKey = why;
  }

  private boolean isSecretGiven() {
    return settings.isSet(NetworkSettings.SECRET)
        || settings.isSet(NetworkSettings.SECRET_FILE)
        || settings.isSet(StandaloneSettings.SECRET_FILE)
        || settings.isSet(StandaloneSettings.SUBMIT_KEY_FILE);
  }

  /// Asks until one that leads answers; while there are some and none leads, or one that may lead
  /// is silent, it waits for one.
  ///
  /// @throws Refusal if none answers
  Answer ask(Question question) {
    Duration patience = settings.get(SubmissionSettings.MASTER_WAIT);
    long start = System.nanoTime();
    boolean said = false;
    while (true) {
      List<String> failures = new ArrayList<>();
      boolean standby = false;
      boolean silent = false;
      for (String address : gateways.keySet()) {
        try {
          Answer answer = question.ask(gateway(address));
          if (!answer.standby()) {
            return answer;
          }
          standby = true;
          failures.add(address + ": " + answer.message());
        } catch (Unreachable e) {
          silent |= e.isSilent();
          failures.add(address + ": " + e.getMessage());
        }
      }
      String why = String.join("; ", failures);
      Duration waits = silent && patience.compareTo(answersWithin) < 0 ? answersWithin : patience;
      boolean mayHelp = standby || (silent && gateways.size() > 1);
      if (!mayHelp || System.nanoTime() - start > waits.toNanos()) {
        throw new Refusal(
            "No master takes submissions ("
                + why
                + "): "
                + (isOverHttp()
                    ? "spark.master.rest.enabled=true asks over HTTP, so name the port for that,"
                        + " 6066 unless spark.master.rest.port says otherwise"
                    : "name the port of a master that leads, 7077 unless its --port says otherwise;"
                        + " a port for HTTP (6066) is asked with spark.master.rest.enabled=true"));
      }
      if (!said) {
        said = true;
        System.err.println(
            "No master leads yet (" + why + "); asking on for " + waits.toSeconds() + " s.");
      }
      pause();
    }
  }

  static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal("Interrupted while a master was waited for");
    }
  }

  private Gateway gateway(String address) {
    Optional<Gateway> known = gateways.get(address);
    if (known.isEmpty()) {
      known = Optional.of(isOverHttp() ? overHttp(address) : ownProtocol(address));
      gateways.put(address, known);
    }
    return known.get();
  }

  private Duration patienceWithOne() {
    boolean isOnly = gateways.size() == 1 || PATIENCE_WITH_ONE.compareTo(answersWithin) > 0;
    return isOnly ? answersWithin : PATIENCE_WITH_ONE;
  }

  private Duration patienceOverHttp() {
    return gateways.size() == 1 ? RestMaster.READ_TIMEOUT : PATIENCE_WITH_ONE;
  }

  private boolean isOverHttp() {
    return settings.isSet(RestSettings.ENABLED) && settings.get(RestSettings.ENABLED);
  }

  private Gateway overHttp(String address) {
    try {
      RequestCredentials shown = RequestCredentials.of(settings, key.map(Masters::signing));
      return new RestMaster(address, shown, patienceOverHttp());
    } catch (KilnException e) {
      throw new Refusal(e.getMessage());
    }
  }

  private static byte[] signing(RoleKey key) {
    return key.keyText().getBytes(StandardCharsets.US_ASCII);
  }

  private Gateway ownProtocol(String address) {
    if (whyNoKey.isPresent()) {
      throw new Refusal("The master at " + address + " can't be asked: " + whyNoKey.get());
    }
    if (client.isEmpty()) {
      try {
        client = Optional.of(new NativeClient(url, settings, key, patienceWithOne()));
      } catch (KilnException e) {
        throw new Refusal(e.getMessage());
      }
    }
    return client.get().at(NodeAddress.parse(address));
  }

  @Override
  public String toString() {
    return url;
  }

  @Override
  public void close() {
    client.ifPresent(NativeClient::close);
  }
}
