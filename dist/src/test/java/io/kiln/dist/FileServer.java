package io.kiln.dist;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A web server on this machine that serves a directory, and what below `/secret/` only to who
/// knows the password.
final class FileServer implements AutoCloseable {
  static final String USER = "kiln";
  static final String PASSWORD = "open sesame";

  private final Path root;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> served = new CopyOnWriteArrayList<>();

  FileServer(Path root) throws IOException {
    this.root = root;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.createContext("/secret/", this::serveToFriends);
    server.setExecutor(threads);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// The paths that were asked for and found.
  List<String> served() {
    return served;
  }

  private void serveToFriends(HttpExchange exchange) throws IOException {
    String key =
        Base64.getEncoder()
            .encodeToString((USER + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8));
    if (("Basic " + key).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      serve(exchange);
    } else {
      exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"friends\"");
      exchange.sendResponseHeaders(401, -1);
      exchange.close();
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      Path file = root.resolve(path.substring(1).replaceFirst("^secret/", ""));
      if (!Files.isRegularFile(file)) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      served.add(path);
      byte[] content = Files.readAllBytes(file);
      exchange.sendResponseHeaders(200, content.length == 0 ? -1 : content.length);
      exchange.getResponseBody().write(content);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
