package io.kiln.daemon.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.api.Version;
import io.kiln.base.settings.Settings;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.daemon.rest.RestOptions.Keys;
import io.kiln.http.Json;
import io.kiln.http.RequestToken;
import io.kiln.http.SignedClaims;
import io.kiln.network.transport.ListenPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RestGatewayTest {
  private static final String SECRET = "sesame";
  private static final String CREATE = "/v1/submissions/create";

  private final FakeMaster master = new FakeMaster();
  private final HttpClient http = HttpClient.newHttpClient();
  private RestGateway gateway;
  private Optional<String> token = Optional.empty();

  private void start() {
    gateway = RestGateway.start(Options.open(), master);
  }

  @AfterEach
  void stop() {
    if (gateway != null) {
      gateway.close();
    }
    http.close();
  }

  /// What came back.
  private record Seen(int status, Map<String, Object> fields) {
    String message() {
      return String.valueOf(fields.get("message"));
    }
  }

  private Seen ask(String method, String path, byte[] body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + path))
            .method(method, BodyPublishers.ofByteArray(body))
            .header("Content-Type", "application/json");
    token.ifPresent(known -> request.header("Authorization", known));
    HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
    assertThat(response.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/json");
    Map<String, Object> fields = Json.read(response.body());
    assertThat(fields.get("serverSparkVersion")).isEqualTo(Version.CURRENT);
    assertThat(String.valueOf(fields.get("message"))).doesNotContain("\n", "Exception", "\tat ");
    return new Seen(response.statusCode(), fields);
  }

  private Seen get(String path) throws Exception {
    return ask("GET", path, new byte[0]);
  }

  private Seen post(String path) throws Exception {
    return ask("POST", path, new byte[0]);
  }

  private Seen create(Map<String, Object> request) throws Exception {
    return ask("POST", CREATE, Json.write(request).getBytes(UTF_8));
  }

  private static Map<String, Object> request() {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("spark.app.name", "pi");
    properties.put("spark.master", "spark://host:6066");
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("action", "CreateSubmissionRequest");
    request.put("appResource", "hdfs://store/app.jar");
    request.put("mainClass", "org.example.Pi");
    request.put("appArgs", List.of("10", "a b"));
    request.put("clientSparkVersion", "4.2.0");
    request.put(
        "environmentVariables",
        Map.of(
            "SPARK_SCALA",
            "x",
            "SPARK_LOCAL_IP",
            "10.0.0.1",
            "SPARK_SUBMIT_OPTS",
            "-Dpassword=hidden"));
    request.put("sparkProperties", properties);
    return request;
  }

  @SuppressWarnings("unchecked")
  private static void setProperty(Map<String, Object> request, String key, Object value) {
    ((Map<String, Object>) request.get("sparkProperties")).put(key, value);
  }

  private void assertRefused(Seen seen, int status, String why) {
    assertThat(seen.status()).isEqualTo(status);
    assertThat(seen.fields().get("action")).isEqualTo("ErrorResponse");
    assertThat(seen.message()).contains(why);
    assertThat(master.drivers()).isEmpty();
  }

  // ---- what is asked for ----------------------------------------------------------------------

  @Test
  void aSubmissionReachesTheMasterAsItIsMeant() throws Exception {
    start();
    Map<String, Object> request = request();
    setProperty(request, "spark.master", "spark://a:" + gateway.port() + ",b:7000");
    setProperty(request, "spark.authenticate.secret", "the client's own");
    setProperty(request, "spark.ssl.keyStorePassword", "the client's own");
    setProperty(request, "spark.driver.memory", "1536m");
    setProperty(request, "spark.driver.cores", new Json.NumberText("2"));
    setProperty(request, "spark.driver.supervise", true);
    setProperty(request, "spark.driver.extraJavaOptions", "-Da='b c' -Dd=e");
    setProperty(request, "spark.driver.extraClassPath", "/x/a.jar:/x/b.jar");
    Seen seen = create(request);

    assertThat(seen.status()).isEqualTo(200);
    assertThat(seen.fields())
        .containsEntry("action", "CreateSubmissionResponse")
        .containsEntry("success", true)
        .containsEntry("submissionId", "driver-20261128120000-0000")
        .doesNotContainKey("unknownFields");
    DriverDescription driver = master.only();
    assertThat(driver.jarUrl()).isEqualTo("hdfs://store/app.jar");
    assertThat(driver.memoryMebibytes()).isEqualTo(1536);
    assertThat(driver.cores()).isEqualTo(2);
    assertThat(driver.supervise()).isTrue();
    assertThat(driver.properties())
        .containsEntry("spark.master", "spark://a:7077,b:7000")
        .doesNotContainValue("the client's own");
    assertThat(driver.command().arguments())
        .containsExactly(
            "--deploy-mode", "client", "--class", "org.example.Pi", "{{USER_JAR}}", "10", "a b");
    assertThat(driver.command().javaOptions()).containsExactly("-Da=b c", "-Dd=e");
    assertThat(driver.command().classPath()).containsExactly("/x/a.jar", "/x/b.jar");
    assertThat(driver.command().environment()).containsExactly(Map.entry("SPARK_SCALA", "x"));
  }

  @Test
  void whatIsNotSaidHasItsUsualValue() throws Exception {
    start();
    Map<String, Object> request = request();
    request.remove("appArgs");
    request.remove("environmentVariables");
    assertThat(create(request).status()).isEqualTo(200);
    assertThat(master.only().memoryMebibytes()).isEqualTo(1024);
    assertThat(master.only().cores()).isEqualTo(1);
    assertThat(master.only().supervise()).isFalse();
    assertThat(master.only().command().arguments()).hasSize(5);
  }

  @Test
  void statusKillAndClearFollowADriver() throws Exception {
    start();
    String id = (String) create(request()).fields().get("submissionId");
    assertThat(get("/v1/submissions/status/" + id).fields())
        .containsEntry("action", "SubmissionStatusResponse")
        .containsEntry("success", true)
        .containsEntry("submissionId", id)
        .containsEntry("driverState", "RUNNING")
        .containsEntry("workerId", "worker-1")
        .containsEntry("workerHostPort", "host-1:7078");
    assertThat(post("/v1/submissions/kill/" + id).fields())
        .containsEntry("action", "KillSubmissionResponse")
        .containsEntry("success", true)
        .containsEntry("submissionId", id);
    assertThat(get("/v1/submissions/status/" + id).fields()).containsEntry("driverState", "KILLED");
    assertThat(post("/v1/submissions/clear").fields())
        .containsEntry("action", "ClearResponse")
        .containsEntry("success", true);
    Seen unknown = get("/v1/submissions/status/" + id);
    assertThat(unknown.status()).isEqualTo(200);
    assertThat(unknown.fields()).containsEntry("success", false).doesNotContainKey("driverState");
    assertThat(post("/v1/submissions/kill/" + id).fields())
        .containsEntry("success", false)
        .containsEntry("message", "No such driver");
    assertThat(create(request()).status()).isEqualTo(200);
    assertThat(post("/v1/submissions/killall").fields())
        .containsEntry("action", "KillAllSubmissionResponse")
        .containsEntry("success", true);
    assertThat(master.drivers().values()).allMatch(driver -> driver.state().isFinal());
  }

  @Test
  void aMasterThatStandsByIsNotReady() throws Exception {
    start();
    assertThat(get("/v1/submissions/readyz"))
        .satisfies(
            seen -> {
              assertThat(seen.status()).isEqualTo(200);
              assertThat(seen.fields())
                  .containsEntry("action", "ReadyzResponse")
                  .containsEntry("success", true);
            });
    master.standBy();
    Seen seen = get("/v1/submissions/readyz");
    assertThat(seen.status()).isEqualTo(503);
    assertThat(seen.fields()).containsEntry("success", false);
    assertThat(create(request()).fields())
        .containsEntry("success", false)
        .containsEntry("message", "Current state is not alive: STANDBY. It stands by");
  }

  // ---- bad requests ---------------------------------------------------------------------------

  @Test
  void bodiesThatAreNoneAreRefused() throws Exception {
    start();
    assertRefused(post(CREATE), 400, "the body is empty");
    for (String body :
        List.of("no json", "[]", "{\"action\":", "{} {}", "{\"a\":1,\"a\":2}", "\u0000")) {
      assertRefused(ask("POST", CREATE, body.getBytes(UTF_8)), 400, "Malformed request");
    }
    byte[] notUtf8 = {'{', '"', (byte) 0xC3, (byte) 0x28, '"', ':', '1', '}'};
    assertRefused(ask("POST", CREATE, notUtf8), 400, "Malformed request");
    String deep = "{\"a\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
    assertRefused(ask("POST", CREATE, deep.getBytes(UTF_8)), 400, "Malformed request");
    String number = "{\"a\":" + "9".repeat(500_000) + "}";
    assertRefused(ask("POST", CREATE, number.getBytes(UTF_8)), 400, "Malformed request");
  }

  @Test
  void aHugeBodyIsRefusedWhetherAnnouncedOrNot() throws Exception {
    start();
    byte[] huge = new byte[SubmissionHandler.MAX_BODY_BYTES + 1];
    Arrays.fill(huge, (byte) ' ');
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
      socket
          .getOutputStream()
          .write(
              ("POST "
                      + CREATE
                      + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n")
                  .getBytes(UTF_8));
      assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8))
          .isEqualTo("HTTP/1.1 413");
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
      String head =
          "POST " + CREATE + " HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(UTF_8));
      socket
          .getOutputStream()
          .write((Integer.toHexString(2 * huge.length) + "\r\n").getBytes(UTF_8));
      socket.getOutputStream().write(huge);
      assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8))
          .isEqualTo("HTTP/1.1 413");
    }
    assertThat(master.drivers()).isEmpty();
  }

  @Test
  void fieldsThatAreMissingOrOfAWrongTypeAreNamed() throws Exception {
    start();
    for (String field :
        List.of("action", "appResource", "mainClass", "clientSparkVersion", "sparkProperties")) {
      Map<String, Object> request = request();
      request.remove(field);
      assertRefused(create(request), 400, field);
      request.put(field, List.of(1));
      assertRefused(create(request), 400, field);
    }
    for (String field : List.of("appArgs", "environmentVariables")) {
      Map<String, Object> request = request();
      request.put(field, "a text");
      assertRefused(create(request), 400, field);
      request.put(field, field.equals("appArgs") ? List.of(List.of()) : Map.of("a", List.of()));
      assertRefused(create(request), 400, field);
    }
    Map<String, Object> other = request();
    other.put("action", "KillSubmissionRequest");
    assertRefused(create(other), 400, "CreateSubmissionRequest");
  }

  @Test
  void propertiesThatMakeNoSenseAreNamed() throws Exception {
    start();
    for (String key : List.of("spark.app.name", "spark.master")) {
      Map<String, Object> request = request();
      setProperty(request, key, "");
      assertRefused(create(request), 400, key);
    }
    Map<String, String> bad =
        Map.of(
            "spark.driver.memory", "much",
            "spark.driver.cores", "0",
            "spark.cores.max", "x",
            "spark.executor.memory", "-1",
            "spark.driver.supervise", "perhaps",
            "spark.driver.extraJavaOptions", "-Da='b");
    for (Map.Entry<String, String> each : bad.entrySet()) {
      Map<String, Object> request = request();
      setProperty(request, each.getKey(), each.getValue());
      assertRefused(create(request), 400, each.getKey());
    }
  }

  @Test
  void noJarOrClassIsTakenThatIsNone() throws Exception {
    start();
    for (String resource :
        List.of("app.jar", "jar:http://a/b.jar!/c", "gopher://a/b", "http://a b", "data:x")) {
      Map<String, Object> request = request();
      request.put("appResource", resource);
      assertRefused(create(request), 400, "appResource");
    }
    for (String name : List.of("-javaagent:x", "a b", "a\u0000")) {
      Map<String, Object> request = request();
      request.put("mainClass", name);
      assertRefused(create(request), 400, "mainClass");
    }
  }

  @Test
  void fieldsThatNobodyKnowsComeBack() throws Exception {
    start();
    Map<String, Object> request = request();
    request.put("colour", "red");
    request.put("shape", Map.of("a", "b"));
    Seen seen = create(request);
    assertThat(seen.status()).isEqualTo(200);
    assertThat(seen.fields()).containsEntry("unknownFields", List.of("colour", "shape"));
  }

  @Test
  void pathsThatLeadNowhereSayWhere() throws Exception {
    start();
    Seen other = post("/v2/submissions/create");
    assertRefused(other, 468, "Unknown protocol version 'v2'");
    assertThat(other.fields()).containsEntry("highestProtocolVersion", "v1");
    assertRefused(get("/"), 400, "Missing protocol version");
    assertRefused(get("/v1"), 400, "/submissions prefix");
    assertRefused(get("/v1/submissions"), 400, "Missing an action");
    assertRefused(get("/v1/submissions/dance"), 400, "Missing an action");
    assertRefused(get("/v1/submissions/status"), 400, "Submission ID is missing in status");
    assertRefused(post("/v1/submissions/kill/"), 400, "Submission ID is missing in kill");
    assertRefused(post("/v1/submissions/kill/a%2F..%2Fb"), 400, "letters, digits");
    assertRefused(get(CREATE), 405, "POST");
    assertRefused(post("/v1/submissions/readyz"), 405, "GET");
  }

  // ---- who may ask ----------------------------------------------------------------------------

  private static String signed(String key, String header, String claims) throws Exception {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    String text =
        encoder.encodeToString(header.getBytes(UTF_8))
            + "."
            + encoder.encodeToString(claims.getBytes(UTF_8));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.getBytes(UTF_8), "HmacSHA256"));
    return text + "." + encoder.encodeToString(mac.doFinal(text.getBytes(UTF_8)));
  }

  @Test
  void whoHasNoTokenOfTheSecretIsKeptOut() throws Exception {
    gateway = RestGateway.start(Options.signed(SECRET.getBytes(UTF_8)), master);
    String header = "{\"alg\":\"HS256\"}";
    assertRefused(create(request()), 403, "Authorization header is missing");
    assertThat(get("/v1/submissions/readyz").status()).as("a probe needs none").isEqualTo(200);
    long soon = Instant.now().getEpochSecond() + 20;
    Map<String, String> refused =
        Map.of(
            "Basic YTpi",
            "Malformed Authorization header",
            "Bearer a.b",
            "no JSON Web Token",
            "Bearer " + signed("a guess", header, "{}"),
            "not signed by the submitters' key",
            "Bearer " + signed(SECRET, "{\"alg\":\"none\"}", "{}"),
            "not of the kind HS256",
            "Bearer " + signed(SECRET, header, "{\"exp\":1}"),
            "has expired",
            "Bearer " + signed(SECRET, header, "{\"nbf\":99999999999}"),
            "not valid yet",
            "Bearer " + signed(SECRET, header, "{\"exp\":\"soon\"}"),
            "no time",
            "Bearer " + signed(SECRET, header, "{\"sub\":\"me\"}"),
            "good for ever",
            "Bearer " + signed(SECRET, header, "{\"exp\":" + (soon + 1000) + "}"),
            "more than 30 s",
            "Bearer " + signed(SECRET, header, "{\"exp\":" + soon + "}"),
            "for one request");
    for (Map.Entry<String, String> each : refused.entrySet()) {
      token = Optional.of(each.getKey());
      assertRefused(create(request()), 403, each.getValue());
    }
  }

  private Optional<String> token(String audience, String method, String path, byte[] body) {
    return Optional.of(
        "Bearer "
            + RequestToken.of(audience, method, path, body, Instant.now())
                .sign(new SignedClaims(SECRET.getBytes(UTF_8), "the secret")));
  }

  /// Whoever sees a request on its way learns nothing that he could use.
  @Test
  void aTokenIsGoodForItsRequestAndOnce() throws Exception {
    gateway = RestGateway.start(Options.signed(SECRET.getBytes(UTF_8)), master);
    String here = "127.0.0.1:" + gateway.port();
    byte[] body = Json.write(request()).getBytes(UTF_8);
    String status = "/v1/submissions/status/driver-1";

    for (Optional<String> other :
        List.of(token(here, "GET", CREATE, body), token(here, "POST", status, body))) {
      token = other;
      assertRefused(ask("POST", CREATE, body), 403, "for another request");
    }
    token = token(here, "POST", CREATE, "{}".getBytes(UTF_8));
    assertRefused(ask("POST", CREATE, body), 403, "for another body");
    for (String other : List.of("127.0.0.1:1", "master-2.example:" + gateway.port())) {
      token = token(other, "POST", CREATE, body);
      assertRefused(ask("POST", CREATE, body), 403, "for another server");
    }

    token = token(here, "POST", CREATE, body);
    assertThat(ask("POST", CREATE, body).status()).isEqualTo(200);
    Seen again = ask("POST", CREATE, body);
    assertThat(again.status()).isEqualTo(403);
    assertThat(again.message()).contains("used before");
    assertThat(master.drivers()).hasSize(1);
  }

  /// As Apache Spark's filter does; its key is in Base64.
  @Test
  void theFiltersKeyIsGoodForAnyRequest() throws Exception {
    String shared = "a key of at least 256 bits, in all 4";
    KilnConf conf =
        new KilnConf(false)
            .set("spark.master.rest.port", "0")
            .set("spark.master.rest.filters", "org.apache.spark.ui.JWSFilter")
            .set(
                "spark.org.apache.spark.ui.JWSFilter.param.secretKey",
                Base64.getUrlEncoder().encodeToString(shared.getBytes(UTF_8)));
    gateway =
        RestGateway.start(
                Settings.of(conf), "127.0.0.1", Optional.of(SECRET.getBytes(UTF_8)), master)
            .orElseThrow();
    assertRefused(create(request()), 403, "Authorization header is missing");
    token = Optional.of("Bearer " + signed("a guess", "{\"alg\":\"HS256\"}", "{}"));
    assertRefused(create(request()), 403, "not signed");
    token = Optional.of("Bearer " + signed(shared, "{\"alg\":\"HS256\"}", "{}"));
    assertThat(create(request()).status()).isEqualTo(200);
    assertThat(get("/v1/submissions/status/driver-1").status()).isEqualTo(200);

    assertThatThrownBy(
            () ->
                RestOptions.of(
                    Settings.of(conf.set("spark.master.rest.filters", "a.B")),
                    "h",
                    Optional.empty()))
        .hasMessageContaining("'a.B'");
  }

  @Test
  void whatTheSettingsSayDecidesWhetherATokenIsNeeded() {
    KilnConf conf = new KilnConf(false);
    Optional<byte[]> secret = Optional.of(SECRET.getBytes(UTF_8));
    assertThat(RestOptions.of(Settings.of(conf), "h", secret).keys().secret()).isPresent();
    assertThat(RestOptions.of(Settings.of(conf), "h", secret).site().port().port()).isEqualTo(6066);
    conf.set("spark.kiln.master.rest.authenticate", "false").set("spark.master.rest.host", "x");
    assertThat(RestOptions.of(Settings.of(conf), "h", secret).keys().secret()).isEmpty();
    assertThat(RestOptions.of(Settings.of(conf), "h", secret).site().host()).isEqualTo("x");
  }

  @Test
  void itIsThereWhereItIsWanted() {
    KilnConf conf = new KilnConf(false).set("spark.master.rest.port", "0");
    gateway =
        RestGateway.start(Settings.of(conf), "127.0.0.1", Optional.empty(), master).orElseThrow();
    assertThat(gateway.port()).isPositive();
    conf.set("spark.master.rest.enabled", "false");
    assertThat(RestGateway.start(Settings.of(conf), "127.0.0.1", Optional.empty(), master))
        .isEmpty();
  }

  @Test
  void aWebPageCanNotSubmit() throws Exception {
    start();
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + gateway.port() + "/v1/submissions/killall"))
            .POST(BodyPublishers.noBody())
            .header("Origin", "http://evil.example")
            .build();
    assertThat(http.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(403);
  }

  // ---- trouble --------------------------------------------------------------------------------

  @Test
  void aSilentMasterIsNotWaitedForWithoutEnd() throws Exception {
    gateway = RestGateway.start(Options.of(Keys.NONE, Duration.ofMillis(50)), master);
    master.fallSilent();
    Seen seen = get("/v1/submissions/status/driver-1");
    assertThat(seen.status()).isEqualTo(504);
    assertThat(seen.message()).contains("may still be done");
  }

  @Test
  void whatFailsInsideStaysInside() throws Exception {
    start();
    master.breakDown();
    Seen seen = get("/v1/submissions/status/driver-1");
    assertThat(seen.status()).isEqualTo(500);
    assertThat(seen.message()).startsWith("Internal server error").doesNotContain("inner");
  }

  @Test
  void twoHundredAtOnceAreAllTaken() throws Exception {
    start();
    byte[] body = Json.write(request()).getBytes(UTF_8);
    List<CompletableFuture<HttpResponse<Void>>> asked = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + CREATE))
              .POST(BodyPublishers.ofByteArray(body))
              .build();
      asked.add(http.sendAsync(request, BodyHandlers.discarding()));
    }
    for (CompletableFuture<HttpResponse<Void>> each : asked) {
      assertThat(each.get().statusCode()).isEqualTo(200);
    }
    assertThat(master.drivers()).hasSize(200);
  }

  /// A request that never ends is closed, and takes nobody else's place meanwhile.
  @Test
  void slowAndSilentClientsAreClosed() throws Exception {
    start();
    try (Socket halfHead = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
        Socket halfBody = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
      halfHead.getOutputStream().write("POST /v1/subm".getBytes(UTF_8));
      halfBody
          .getOutputStream()
          .write(
              ("POST " + CREATE + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n{")
                  .getBytes(UTF_8));
      assertThat(get("/v1/submissions/readyz").status()).isEqualTo(200);
      assertThat(isClosed(halfHead)).isTrue();
      assertThat(isClosed(halfBody)).isTrue();
    }
    assertThat(master.drivers()).isEmpty();
  }

  private static boolean isClosed(Socket socket) throws IOException {
    socket.setSoTimeout(40_000);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  /// Clients have been told of the port that was named, and would take whoever holds it for this.
  @Test
  void onlyAPortThatNobodyNamedIsPassedOver() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      gateway =
          RestGateway.start(
              at("127.0.0.1", new ListenPort(port, 16, "spark.master.rest.port")), master);
      assertThat(gateway.port()).isBetween(port + 1, port + 16);
      KilnConf conf = new KilnConf(false).set("spark.master.rest.port", Integer.toString(port));
      assertThatThrownBy(
              () -> RestGateway.start(Settings.of(conf), "127.0.0.1", Optional.empty(), master))
          .isInstanceOf(KilnException.class)
          .hasMessageContaining(
              "port " + port + " is taken by process " + ProcessHandle.current().pid())
          .hasMessageContaining("spark.master.rest.port");
      assertThatThrownBy(() -> RestGateway.start(at("192.0.2.1", ListenPort.any()), master))
          .hasMessageContaining("spark.master.rest.host");
    }
  }

  private static RestOptions at(String host, ListenPort port) {
    return new RestOptions(
        Options.site(host, port, Optional.empty()), 1, Duration.ofSeconds(1), Keys.NONE);
  }
}
