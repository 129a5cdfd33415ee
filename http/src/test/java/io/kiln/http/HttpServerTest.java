package io.kiln.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.network.transport.ListenPort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HttpServerTest {
  private static final int MAX_BODY = 64 << 10;

  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch holding = new CountDownLatch(1);
  private HttpServer server;

  /// Gives back what it is sent; `/held` waits for the test, `/forbidden` isn't followed.
  private final class Echo implements RequestHandler {
    @Override
    public Optional<Response> refusal(RequestHead head) {
      return head.path().equals("/forbidden")
          ? Optional.of(Response.line(Response.FORBIDDEN, "No."))
          : Optional.empty();
    }

    @Override
    public int maxBodyBytes() {
      return MAX_BODY;
    }

    @Override
    public Response answer(RequestHead head, byte[] body) throws InterruptedException {
      if (head.path().equals("/held")) {
        holding.countDown();
        held.await();
      }
      if (head.path().equals("/broken")) {
        throw new IllegalStateException("an inner matter");
      }
      return Response.of(Response.OK, "text/plain", head.method() + new String(body, UTF_8));
    }
  }

  private void start(HttpBounds bounds) {
    server =
        HttpServer.open(
            new HttpServer.Site(
                "127.0.0.1",
                ListenPort.any(),
                "",
                "serve",
                new HostNames(
                    List.of("here.example"), List.of("alias.example", "proxy.example:80")),
                Optional.empty()),
            bounds);
    server.serve(new Echo());
  }

  private static HttpBounds bounds(int connections, int ofOneAddress, Duration within) {
    HttpBounds usual = HttpBounds.usual();
    return new HttpBounds(
        connections,
        ofOneAddress,
        usual.lineBytes(),
        usual.headerBytes(),
        usual.bodyBytes(),
        within,
        within,
        within);
  }

  @AfterEach
  void stop() {
    held.countDown();
    server.close();
  }

  private Socket connect(String from) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
    socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.port()));
    return socket;
  }

  /// One that the server has seen.
  private Socket connected(String from) throws IOException {
    Socket socket = connect(from);
    send(socket, get("/"));
    assertThat(answer(socket)).startsWith("HTTP/1.1 200");
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(UTF_8));
  }

  private static String head(String request, String host) {
    return request + " HTTP/1.1\r\nHost: " + host + "\r\n";
  }

  private static String get(String path) {
    return head("GET " + path, "127.0.0.1") + "\r\n";
  }

  /// One answer, up to the end of its body.
  private static String answer(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder text = new StringBuilder();
    while (!text.toString().endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return text + "(end)";
      }
      text.append((char) next);
    }
    String length = text.toString().replaceFirst("(?is).*content-length: (\\d+).*", "$1");
    return text + new String(in.readNBytes(Integer.parseInt(length)), UTF_8);
  }

  private String ask(String text) throws IOException {
    try (Socket socket = connect("127.0.0.1")) {
      send(socket, text);
      return answer(socket);
    }
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  // ---- requests -------------------------------------------------------------------------------

  @Test
  void oneConnectionCarriesManyRequestsAlsoWithoutWaiting() throws Exception {
    start(HttpBounds.usual());
    try (Socket socket = connect("127.0.0.1")) {
      String post = head("POST /", "127.0.0.1") + "Content-Length: 5\r\n\r\nhello";
      send(socket, post + get("/") + head("PUT /", "h") + "Transfer-Encoding: chunked\r\n\r\n");
      assertThat(answer(socket)).startsWith("HTTP/1.1 200").endsWith("POSThello");
      assertThat(answer(socket)).endsWith("GET");
      assertThat(answer(socket)).startsWith("HTTP/1.1 421");
    }
    try (Socket socket = connect("127.0.0.1")) {
      send(socket, head("PUT /", "[::1]:80") + "Transfer-Encoding: chunked\r\n\r\n");
      send(socket, "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
      assertThat(answer(socket)).endsWith("PUTabcde");
      send(socket, head("POST /", "h.example:1@127.0.0.1") + "\r\n");
      assertThat(answer(socket)).startsWith("HTTP/1.1 421");
    }
    assertThat(ask("GET / HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200");
    assertThat(ask(get("/broken"))).startsWith("HTTP/1.1 500").doesNotContain("inner");
  }

  @Test
  void whoWaitsForLeaveToSendABodyGetsIt() throws Exception {
    start(HttpBounds.usual());
    try (Socket socket = connect("127.0.0.1")) {
      String expect = "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n";
      send(socket, head("POST /", "127.0.0.1") + expect);
      assertThat(new String(socket.getInputStream().readNBytes(25), US_ASCII))
          .isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
      send(socket, "ab");
      assertThat(answer(socket)).endsWith("POSTab");
      send(socket, head("POST /forbidden", "127.0.0.1") + expect);
      assertThat(answer(socket)).startsWith("HTTP/1.1 403");
    }
  }

  /// A page of another site whose name has been made to lead here asks by that name.
  @Test
  void onlyOwnNamesAreAnswered() throws Exception {
    start(HttpBounds.usual());
    for (String own :
        List.of(
            "127.0.0.1:8080",
            "10.1.2.3",
            "[::1]:8080",
            "localhost:1",
            "HERE.example:8080",
            "alias.example",
            "proxy.example:80")) {
      assertThat(ask(head("GET /", own) + "\r\n")).as(own).startsWith("HTTP/1.1 200");
    }
    for (String other :
        List.of("evil.example", "127.0.0.1.evil.example:80", "", "here.example.x")) {
      assertThat(ask(head("GET /", other) + "\r\n"))
          .as(other)
          .startsWith("HTTP/1.1 421")
          .contains("spark.kiln.http.hosts");
    }
    assertThat(ask("GET / HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 421");
  }

  // ---- bounds ---------------------------------------------------------------------------------

  @Test
  void whatIsTooLargeOrNoHttpIsRefused() throws Exception {
    start(HttpBounds.usual());
    assertThat(ask(head("GET /", "127.0.0.1") + "A: " + "x".repeat(400_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431");
    assertThat(ask(head("GET /", "127.0.0.1") + "A: b\r\n".repeat(4_000) + "\r\n"))
        .startsWith("HTTP/1.1 431");
    assertThat(ask(get("/" + "x".repeat(400_000)))).startsWith("HTTP/1.1 414");
    String large = "Content-Length: " + (MAX_BODY + 1) + "\r\n\r\n" + "x".repeat(MAX_BODY + 1);
    assertThat(ask(head("POST /", "127.0.0.1") + large)).startsWith("HTTP/1.1 413");
    String chunk = Integer.toHexString(MAX_BODY + 1) + "\r\n" + "x".repeat(MAX_BODY + 1);
    assertThat(ask(head("POST /", "127.0.0.1") + "Transfer-Encoding: chunked\r\n\r\n" + chunk))
        .startsWith("HTTP/1.1 413");
    for (String nonsense :
        List.of(
            "\0\1\2\3\r\n\r\n",
            "GET\r\n\r\n",
            head("POST /", "127.0.0.1") + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            head("POST /", "127.0.0.1") + "Content-Length: -1\r\n\r\n",
            head("GET /", "127.0.0.1") + "A b\r\n\r\n")) {
      assertThat(ask(nonsense)).as(nonsense).startsWith("HTTP/1.1 400");
    }
  }

  @Test
  void theBodiesOfAllTogetherAreBounded() throws Exception {
    HttpBounds usual = HttpBounds.usual();
    start(
        new HttpBounds(
            usual.connections(),
            usual.connectionsOfOneAddress(),
            usual.lineBytes(),
            usual.headerBytes(),
            MAX_BODY,
            usual.requestWithin(),
            usual.idle(),
            usual.responseWithin()));
    String half = "Content-Length: " + MAX_BODY / 2 + "\r\n\r\n";
    try (Socket first = connect("127.0.0.1");
        Socket second = connect("127.0.0.1")) {
      String body = "x".repeat(MAX_BODY / 2);
      send(first, head("POST /held", "127.0.0.1") + half + body);
      holding.await();
      send(second, head("POST /", "127.0.0.1") + half + body);
      assertThat(answer(second)).startsWith("HTTP/1.1 200");
      assertThat(ask(head("POST /", "127.0.0.1") + "Content-Length: " + MAX_BODY + "\r\n\r\n"))
          .startsWith("HTTP/1.1 503");
      held.countDown();
      assertThat(answer(first)).startsWith("HTTP/1.1 200");
      assertThat(ask(head("POST /", "127.0.0.1") + half + body)).startsWith("HTTP/1.1 200");
    }
  }

  /// However slowly each sends, somebody with a request gets through; and one whose request is
  /// being answered is not cut off for it.
  @Test
  void slowConnectionsGoForTheSakeOfOthers() throws Exception {
    start(bounds(8, 4, Duration.ofSeconds(100)));
    List<Socket> slow = new ArrayList<>();
    try (Socket busy = connect("127.0.0.9")) {
      send(busy, get("/held"));
      holding.await();
      for (int i = 0; i < 40; i++) {
        Socket socket = connect("127.0.0." + (2 + i % 5));
        slow.add(socket);
        send(socket, "GET / HTTP/1.1\r\nA: ");
      }
      assertThat(ask(get("/"))).startsWith("HTTP/1.1 200");
      assertThat(isClosed(slow.getFirst())).isTrue();
      held.countDown();
      assertThat(answer(busy)).startsWith("HTTP/1.1 200");
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void oneAddressHasItsShareOfConnections() throws Exception {
    start(bounds(100, 2, Duration.ofSeconds(100)));
    try (Socket other = connect("127.0.0.2");
        Socket first = connect("127.0.0.3");
        Socket second = connect("127.0.0.3");
        Socket third = connect("127.0.0.3")) {
      assertThat(isClosed(first)).isTrue();
      for (Socket socket : List.of(other, second, third)) {
        send(socket, get("/"));
        assertThat(answer(socket)).startsWith("HTTP/1.1 200");
      }
    }
  }

  @Test
  void allTogetherHaveSoManyConnections() throws Exception {
    start(bounds(2, 100, Duration.ofSeconds(100)));
    try (Socket first = connected("127.0.0.2");
        Socket second = connected("127.0.0.3");
        Socket third = connected("127.0.0.4")) {
      assertThat(isClosed(first)).isTrue();
      for (Socket socket : List.of(second, third)) {
        send(socket, get("/"));
        assertThat(answer(socket)).startsWith("HTTP/1.1 200");
      }
    }
  }

  @Test
  void whoTakesTooLongIsClosed() throws Exception {
    start(bounds(100, 100, Duration.ofMillis(200)));
    try (Socket silent = connect("127.0.0.1");
        Socket halfHead = connect("127.0.0.1");
        Socket halfBody = connect("127.0.0.1");
        Socket idle = connect("127.0.0.1")) {
      send(idle, get("/"));
      send(halfHead, "GET / HT");
      send(halfBody, head("POST /", "127.0.0.1") + "Content-Length: 10\r\n\r\nabc");
      assertThat(answer(idle)).startsWith("HTTP/1.1 200");
      for (Socket socket : List.of(silent, halfHead, halfBody, idle)) {
        assertThat(isClosed(socket)).isTrue();
      }
    }
  }
}
