package io.kiln.base.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kiln.api.KilnException;
import io.kiln.base.resource.Downloads.Download;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Against a real server.
@Timeout(60)
class DownloadsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path directory;
  private final CountDownLatch end = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  @Test
  void severalAreFetchedAtATime() throws Exception {
    CyclicBarrier together = new CyclicBarrier(3);
    server.createContext(
        "/",
        exchange -> {
          try {
            together.await(30, TimeUnit.SECONDS);
          } catch (Exception e) {
            throw new IOException(e);
          }
          answer(exchange, 200, exchange.getRequestURI().getPath());
        });
    List<Download> wanted = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      wanted.add(download("/" + name, name));
    }
    AtomicLong most = new AtomicLong();

    Downloads.fetch(wanted, PATIENCE, bytes -> most.accumulateAndGet(bytes, Math::max));

    assertThat(directory.resolve("c")).hasContent("/c");
    assertThat(most).hasValue(6);
  }

  @Test
  void redirectionsAreFollowed() throws Exception {
    server.createContext(
        "/old",
        exchange -> {
          exchange.getResponseHeaders().add("Location", "/new");
          answer(exchange, 302, "");
        });
    server.createContext("/new", exchange -> answer(exchange, 200, "moved"));

    Downloads.fetch(List.of(download("/old", "a")), PATIENCE, _ -> {});

    assertThat(directory.resolve("a")).hasContent("moved");
  }

  @ParameterizedTest
  @CsvSource({
    "404, status 404 (there is no such file)",
    "401, status 401 (it wants credentials)",
    "403, status 403 (forbidden)",
    "'503', 'status 503 (a fault of the server), at each of 4 tries'",
  })
  void aRefusalIsOneLineThatNamesTheUrlWithoutItsSecrets(int status, String message)
      throws IOException {
    server.createContext("/", exchange -> answer(exchange, status, "<html>"));

    assertThatThrownBy(
            () -> Downloads.fetch(List.of(download("/a.jar?key=x", "a")), PATIENCE, _ -> {}))
        .isInstanceOf(KilnException.class)
        .hasMessage(uri("/a.jar") + " can't be fetched: the server answers with " + message);
  }

  @Test
  void aBodyThatStopsComingIsNoticed() {
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write(new byte[10]);
          exchange.getResponseBody().flush();
          hold();
        });

    assertFails("/a", Duration.ofSeconds(3), "nothing came for 3.0 s");
  }

  @Test
  void aServerThatSaysNothingIsNoticed() {
    server.createContext("/", _ -> hold());

    assertFails("/a", Duration.ofMillis(300), "no answer came for 0.3 s");
  }

  @Test
  void aBodyThatIsCutShortIsNoticed() {
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write(new byte[10]);
          exchange.close();
        });

    assertFails("/a", PATIENCE, ", at each of 4 tries");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a fault", "a broken connection", "a short body"})
  void whatMayPassIsAskedForAgain(String trouble) throws Exception {
    AtomicInteger asked = new AtomicInteger();
    server.createContext(
        "/",
        exchange -> {
          if (asked.incrementAndGet() < 3) {
            fail(exchange, trouble);
          } else {
            answer(exchange, 200, "at last");
          }
        });
    AtomicLong last = new AtomicLong();

    Downloads.fetch(List.of(download("/a", "a")), PATIENCE, last::set);

    assertThat(directory.resolve("a")).hasContent("at last");
    assertThat(last).as("bytes that count").hasValue("at last".length());
  }

  private static void fail(HttpExchange exchange, String trouble) throws IOException {
    switch (trouble) {
      case "a fault" -> answer(exchange, 500, "no");
      case "a short body" -> {
        exchange.sendResponseHeaders(200, 1000);
        exchange.getResponseBody().write(new byte[10]);
        exchange.close();
      }
      default -> exchange.close(); // without an answer
    }
  }

  @Test
  void whatIsNotThereIsAskedForOnce() {
    AtomicInteger asked = new AtomicInteger();
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          answer(exchange, 404, "");
        });

    assertFails("/a", PATIENCE, "status 404");

    assertThat(asked).hasValue(1);
  }

  @Test
  void aPlaceThatCanNotBeWrittenToIsNamed() {
    server.createContext("/", exchange -> answer(exchange, 200, "x"));

    assertFails("/a", "none/a", PATIENCE, directory.resolve("none/a") + " can't be written");
  }

  @Test
  void aServerThatIsNotThereIsNamed() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    URI nowhere = URI.create("http://127.0.0.1:" + port + "/a");

    assertThatThrownBy(
            () ->
                Downloads.fetch(
                    List.of(new Download(nowhere, directory.resolve("a"))), PATIENCE, _ -> {}))
        .hasMessage(nowhere + " can't be fetched: the server can't be reached: connection refused");
  }

  private void assertFails(String path, Duration patience, String message) {
    assertFails(path, "a", patience, message);
  }

  private void assertFails(String path, String file, Duration patience, String message) {
    assertThatThrownBy(() -> Downloads.fetch(List.of(download(path, file)), patience, _ -> {}))
        .isInstanceOf(KilnException.class)
        .hasMessageStartingWith(uri(path).toString())
        .hasMessageContaining(message);
  }

  private void hold() throws IOException {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private Download download(String path, String name) {
    return new Download(uri(path), directory.resolve(name));
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }
}
