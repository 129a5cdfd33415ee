package io.kiln.driver;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.protocol.SharedResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ApplicationFilesTest {
  private static final String ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx";

  @TempDir Path directory;
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);
  private final ServerSocket server;

  ApplicationFilesTest() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    answer.countDown();
    server.close();
  }

  /// A server that takes its time.
  private String slowFile() {
    Thread.ofVirtual().start(this::serve);
    return "http://127.0.0.1:" + server.getLocalPort() + "/slow.txt";
  }

  private void serve() {
    try (Socket client = server.accept()) {
      asked.countDown();
      answer.await();
      client.getOutputStream().write(ANSWER.getBytes(US_ASCII));
      client.getOutputStream().flush();
      client.shutdownOutput();
      client.getInputStream().readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private ApplicationFiles open() {
    return new ApplicationFiles(
        directory.resolve("files"),
        Duration.ofSeconds(30),
        new TaskClassLoader(getClass().getClassLoader()));
  }

  /// An executor that registers asks what there is.
  @Test
  void whatIsThereIsKnownDuringADownload() throws Exception {
    try (ApplicationFiles files = open()) {
      String slow = slowFile();
      CompletableFuture<Void> added = CompletableFuture.runAsync(() -> files.addFile(slow, false));
      asked.await();

      assertThat(files.all()).isEmpty();
      assertThat(files.files()).isEmpty();
      assertThat(files.file(0)).isEmpty();

      answer.countDown();
      added.join();
      assertThat(files.all()).extracting(SharedResource::name).containsExactly("slow.txt");
    }
  }

  @Test
  void whatComesAfterTheEndLeavesNothing() throws Exception {
    ApplicationFiles files = open();
    String slow = slowFile();
    CompletableFuture<Void> added = CompletableFuture.runAsync(() -> files.addFile(slow, false));
    asked.await();

    files.close();

    answer.countDown();
    assertThatThrownBy(added::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(KilnException.class);
    assertThat(directory.resolve("files")).doesNotExist();
  }
}
