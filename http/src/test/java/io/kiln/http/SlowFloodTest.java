package io.kiln.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A thousand connections, of several hosts, each with huge headers or a body, none of which ends,
/// against a process with little memory.
@Timeout(120)
class SlowFloodTest {
  private static final int CONNECTIONS = 1_000;
  private static final int HOSTS = 50;
  private static final byte[] HEADERS =
      ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + ("A: " + "x".repeat(7_000) + "\r\n").repeat(54))
          .getBytes(US_ASCII);
  private static final byte[] ONE_HEADER =
      ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nA: " + "x".repeat(380 << 10)).getBytes(US_ASCII);
  private static final byte[] ALMOST =
      ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nA: " + "x".repeat(8_000)).getBytes(US_ASCII);
  private static final byte[] BODY =
      ("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n"
              + "x".repeat(380 << 10))
          .getBytes(US_ASCII);

  private static Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx32m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            SmallHeapServer.class.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static Socket open(int number, int port) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.1." + (1 + number % HOSTS)), 0));
    socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
    return socket;
  }

  private static void send(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      // it was closed meanwhile, as it should be
    }
  }

  @Test
  void aThousandSlowConnectionsLeaveMemoryForOthers() throws Exception {
    Process process = start();
    List<Socket> sockets = new ArrayList<>();
    List<Thread> senders = new ArrayList<>();
    try (HttpClient client = HttpClient.newHttpClient()) {
      BufferedReader out = process.inputReader();
      int port = Integer.parseInt(out.readLine());
      List<byte[]> kinds = List.of(HEADERS, ONE_HEADER, ALMOST, BODY);
      for (int i = 0; i < CONNECTIONS; i++) {
        Socket socket = open(i, port);
        byte[] words = kinds.get(i % kinds.size());
        sockets.add(socket);
        senders.add(Thread.ofVirtual().start(() -> send(socket, words)));
      }
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/")).build();
      for (int i = 0; i < 5; i++) {
        assertThat(client.send(request, BodyHandlers.ofString()).body()).isEqualTo("good\n");
      }
      assertThat(process.isAlive()).isTrue();
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
      for (Thread sender : senders) {
        sender.join();
      }
      process.destroyForcibly().waitFor();
    }
  }
}
