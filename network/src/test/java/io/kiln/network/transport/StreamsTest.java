package io.kiln.network.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.network.transport.Ground.Fetch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class StreamsTest {
  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static byte[] all(Ground ground, String name) throws Exception {
    try (ContentStream stream = ground.client.open(ground.address, new Fetch(name))) {
      return stream.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void filesAndMemoryArrive(boolean secured, @TempDir Path directory) throws Exception {
    byte[] content = random(10_000_000);
    Path file = Files.write(directory.resolve("file"), content);
    byte[] front = Arrays.copyOf(content, 1000);
    try (Ground ground = new Ground(secured)) {
      ground.server.serve(
          (_, request) ->
              switch (((Fetch) request).name()) {
                case "file" -> Content.OfFiles.of(file, 0, content.length);
                case "parts" ->
                    new Content.OfFiles(
                        List.of(
                            new Content.FilePart(file, 500, 500),
                            new Content.FilePart(file, 0, 0),
                            new Content.FilePart(file, 0, 500)));
                case "memory" ->
                    new Content.OfBytes(List.of(ByteBuffer.wrap(front), ByteBuffer.wrap(content)));
                default -> Content.OfBytes.of(new byte[0]);
              });
      for (int round = 0; round < 3; round++) {
        assertThat(all(ground, "file")).isEqualTo(content);
        byte[] parts = all(ground, "parts");
        assertThat(Arrays.copyOf(parts, 500)).isEqualTo(Arrays.copyOfRange(content, 500, 1000));
        assertThat(Arrays.copyOfRange(parts, 500, 1000)).isEqualTo(Arrays.copyOf(content, 500));
        byte[] memory = all(ground, "memory");
        assertThat(memory).hasSize(1000 + content.length);
        assertThat(Arrays.copyOfRange(memory, 1000, memory.length)).isEqualTo(content);
        assertThat(all(ground, "nothing")).isEmpty();
      }
    }
  }

  /// Bytes and files in one content, with empty ones among them, each piece made in its turn.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void mixedPiecesArriveInOrder(boolean secured, @TempDir Path directory) throws Exception {
    byte[] content = random(3_000_000);
    Path file = Files.write(directory.resolve("file"), content);
    AtomicInteger closed = new AtomicInteger();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    List<Content> parts = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      byte[] bytes = random(i * 100);
      expected.writeBytes(bytes);
      parts.add(Content.OfBytes.of(bytes));
      int offset = i * 7919;
      int length = i % 5 * 400_000;
      expected.write(content, offset, length);
      parts.add(Content.OfFiles.of(file, offset, length));
    }
    parts.add(Content.OfPieces.of(List.of(Content.OfBytes.of(new byte[0]))));
    try (Ground ground = new Ground(secured)) {
      ground.server.serve((_, _) -> counted(Content.OfPieces.of(parts), closed));
      for (int round = 1; round <= 3; round++) {
        assertThat(all(ground, "mixed")).isEqualTo(expected.toByteArray());
      }
    }
    assertThat(closed).hasValue(3);
  }

  private static Content counted(Content.OfPieces content, AtomicInteger closed) {
    return new Content.OfPieces(
        content.lengthBytes(),
        new Content.Pieces() {
          @Override
          public Content next() throws IOException {
            return content.pieces().next();
          }

          @Override
          public void close() {
            closed.incrementAndGet();
          }
        });
  }

  /// What was promised and can't be had breaks the stream off; it never ends early or goes on with
  /// something else.
  @ParameterizedTest
  @ValueSource(strings = {"throws", "missing", "short", "long"})
  void aPieceThatCannotBeHadIsAnError(String fault, @TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("file"), random(1000));
    CountDownLatch closed = new CountDownLatch(1);
    Content second =
        switch (fault) {
          case "missing" -> Content.OfFiles.of(directory.resolve("gone"), 0, 1000);
          case "short" -> Content.OfFiles.of(file, 1, 1000);
          default -> Content.OfBytes.of(random(1001));
        };
    try (Ground ground = new Ground(true)) {
      ground.server.serve(
          (_, request) -> {
            if (((Fetch) request).name().equals("whole")) {
              return Content.OfFiles.of(file, 0, 1000);
            }
            Iterator<Content> pieces =
                List.of(Content.OfFiles.of(file, 0, 1000), second).iterator();
            return new Content.OfPieces(
                2000,
                new Content.Pieces() {
                  @Override
                  public Content next() throws IOException {
                    Content next = pieces.next();
                    if (fault.equals("throws") && next == second) {
                      throw new IOException("the disk is gone");
                    }
                    return next;
                  }

                  @Override
                  public void close() {
                    closed.countDown();
                  }
                });
          });
      assertThatThrownBy(() -> all(ground, "broken"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("bytes missing");
      closed.await();
      assertThat(all(ground, "whole")).hasSize(1000);
    }
  }

  @Test
  void manyAtOnce() throws Exception {
    try (Ground ground = new Ground(true);
        ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
      ground.server.serve(
          (_, request) -> Content.OfBytes.of(random(Integer.parseInt(((Fetch) request).name()))));
      List<Callable<Boolean>> readings = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        int length = i * 5_000;
        readings.add(() -> Arrays.equals(all(ground, "" + length), random(length)));
      }
      for (Future<Boolean> same : readers.invokeAll(readings)) {
        assertThat(same.get()).isTrue();
      }
    }
  }

  @Test
  void whatIsRefusedSaysWhyAndTheConnectionLivesOn() throws Exception {
    AtomicInteger peers = new AtomicInteger();
    try (Ground ground = new Ground(true)) {
      ground.server.serve(
          (peer, request) -> {
            peers.addAndGet(peer.process().equals("executor-1") ? 1 : 0);
            if (((Fetch) request).name().equals("gone")) {
              throw new KilnException(
                  "BLOCK_MISSING", KilnException.Kind.EXTERNAL, "no such block");
            }
            if (((Fetch) request).name().equals("broken")) {
              throw new StackOverflowError("on purpose");
            }
            return Content.OfFiles.of(Path.of("/nonexistent"), 0, 5);
          });
      assertThatThrownBy(() -> all(ground, "gone"))
          .isInstanceOfSatisfying(
              KilnException.class, e -> assertThat(e.code()).isEqualTo("BLOCK_MISSING"))
          .hasMessage("no such block");
      assertThatThrownBy(() -> all(ground, "unreadable"))
          .isInstanceOfSatisfying(
              KilnException.class, e -> assertThat(e.code()).isEqualTo("CONTENT_UNREADABLE"));
      assertThatThrownBy(() -> all(ground, "broken"))
          .isInstanceOf(KilnException.class)
          .hasMessageContaining("on purpose");
      assertThat(peers).hasValue(3);
    }
  }

  /// The sender has to wait for a reader that takes its time, and holds next to nothing meanwhile.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSlowReaderHoldsUpTheSender(boolean secured, @TempDir Path directory) throws Exception {
    int length = 24 << 20;
    Path file = Files.write(directory.resolve("file"), random(length));
    try (Ground ground = new Ground(secured)) {
      ground.server.serve((_, _) -> Content.OfFiles.of(file, 0, length));
      try (ContentStream stream = ground.client.open(ground.address, new Fetch("file"))) {
        stream.readNBytes(1000);
        try (ContentStream other = ground.client.open(ground.address, new Fetch("file"))) {
          assertThat(other.readAllBytes()).hasSize(length); // nothing is held up but the stream
        }
        assertThat(stream.available()).isLessThan(2 * ContentStream.MAX_QUEUED_BYTES);
        assertThat(stream.readAllBytes()).hasSize(length - 1000);
      }
    }
  }

  @Test
  void aSenderThatBreaksOffIsAnError(@TempDir Path directory) throws Exception {
    int length = 24 << 20;
    Path file = Files.write(directory.resolve("file"), random(length));
    try (Ground ground = new Ground(true)) {
      ground.server.serve((_, _) -> Content.OfFiles.of(file, 0, length));
      try (ContentStream stream = ground.client.open(ground.address, new Fetch("file"))) {
        stream.readNBytes(1000);
        ground.server.close();
        assertThatThrownBy(stream::readAllBytes)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("bytes missing");
      }
      assertThatThrownBy(() -> all(ground, "file"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("can't be reached");
    }
  }

  @Test
  void aStreamThatIsNotReadToItsEndGivesItsConnectionUp(@TempDir Path directory) throws Exception {
    int length = 24 << 20;
    Path file = Files.write(directory.resolve("file"), random(length));
    try (Ground ground = new Ground(true)) {
      ground.server.serve((_, _) -> Content.OfFiles.of(file, 0, length));
      for (int i = 0; i < 5; i++) {
        try (ContentStream stream = ground.client.open(ground.address, new Fetch("file"))) {
          assertThat(stream.read()).isNotNegative();
        }
      }
      assertThat(all(ground, "file")).hasSize(length);
    }
  }

  @Test
  void anInterruptedReaderStops() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (Ground ground = new Ground(true)) {
      ground.server.serve(
          (_, _) -> {
            asked.countDown();
            end.await();
            return Content.OfBytes.of(new byte[1]);
          });
      Thread reader =
          Thread.ofPlatform()
              .start(
                  () ->
                      assertThatThrownBy(() -> all(ground, "never"))
                          .isInstanceOf(InterruptedException.class));
      asked.await();
      reader.interrupt();
      reader.join(10_000);
      assertThat(reader.isAlive()).isFalse();
    } finally {
      end.countDown();
    }
  }
}
