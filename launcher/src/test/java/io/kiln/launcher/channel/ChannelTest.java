package io.kiln.launcher.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.launcher.channel.ChannelMessage.ApplicationFailed;
import io.kiln.launcher.channel.ChannelMessage.ApplicationRunning;
import io.kiln.launcher.channel.ChannelMessage.ApplicationStopping;
import io.kiln.launcher.channel.ChannelMessage.ApplicationSubmitted;
import io.kiln.launcher.channel.ChannelMessage.StopApplication;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Both ends of real sockets, and strangers at either.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChannelTest {

  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Duration SHORT = Duration.ofMillis(100);
  private ChannelListener listener;

  @BeforeEach
  void listen() throws IOException {
    listener = new ChannelListener(LONG);
  }

  @AfterEach
  void close() {
    listener.close();
  }

  @Test
  void messagesArriveInOrderBothWays() throws IOException {
    List<ChannelMessage> told =
        List.of(
            new ApplicationSubmitted("local-1"),
            new ApplicationRunning(),
            new ApplicationFailed("é 😀\n\0"),
            new ApplicationStopping());
    try (Channel application = connect();
        Channel launcher = listener.await()) {
      for (ChannelMessage message : told) {
        application.send(message);
      }
      launcher.send(new StopApplication());

      for (ChannelMessage message : told) {
        assertThat(launcher.receive()).isEqualTo(message);
      }
      assertThat(application.receive()).isEqualTo(new StopApplication());
    }
  }

  @Test
  void aTextThatIsTooLongIsCut() throws IOException {
    try (Channel application = connect();
        Channel launcher = listener.await()) {
      application.send(new ApplicationFailed("x".repeat(1 << 20)));

      assertThat(launcher.receive())
          .isEqualTo(new ApplicationFailed("x".repeat(Channel.MAX_FRAME_BYTES - 1)));
    }
  }

  @Test
  void theSecretIsSpentWithTheFirstWhoKnowsIt() throws IOException {
    try (Channel application = connect();
        Channel launcher = listener.await()) {
      assertThatThrownBy(() -> connect().receive()).isInstanceOf(IOException.class);

      application.send(new ApplicationRunning());
      assertThat(launcher.receive()).isEqualTo(new ApplicationRunning());
    }
  }

  @Test
  void aStrangerIsRefusedAndTheApplicationIsHeard() throws IOException {
    assertThatThrownBy(() -> Channel.connect(listener.port(), ChannelSecret.random(), LONG))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("is another");
    assertHungUp("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    assertHungUp(noise(200));

    try (Channel application = connect();
        Channel launcher = listener.await()) {
      application.send(new ApplicationRunning());
      assertThat(launcher.receive()).isEqualTo(new ApplicationRunning());
    }
  }

  @Test
  void oneWhoCanOnlyRepeatIsRefused() throws IOException {
    try (Socket stranger = new Socket(Channel.loopback(), listener.port())) {
      stranger.getOutputStream().write(new byte[] {'K', 'I', 'L', 'N', 1});
      stranger.getOutputStream().write(noise(ChannelSecret.SIZE_BYTES));
      byte[] challenge = stranger.getInputStream().readNBytes(2 * ChannelSecret.SIZE_BYTES);
      stranger.getOutputStream().write(challenge, ChannelSecret.SIZE_BYTES, 32);

      assertThat(stranger.getInputStream().read()).isNegative();
    }
  }

  @Test
  void theSilentAreHungUpOnInTime() throws IOException {
    try (ChannelListener impatient = new ChannelListener(SHORT);
        Socket silent = new Socket(Channel.loopback(), impatient.port())) {
      assertThat(silent.getInputStream().read()).isNegative();
    }
  }

  @Test
  void oneWhoDribblesIsHungUpOnInTime() throws Exception {
    try (ChannelListener impatient = new ChannelListener(SHORT);
        Socket slow = new Socket(Channel.loopback(), impatient.port())) {
      slow.setSoTimeout(5);
      assertThatThrownBy(
              () -> {
                while (true) {
                  slow.getOutputStream().write('K');
                  try {
                    if (slow.getInputStream().read() < 0) {
                      throw new EOFException();
                    }
                  } catch (SocketTimeoutException e) {
                    // not yet: go on
                  }
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void onlySoManyStrangersAreHeardAtOnce() throws IOException {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < ChannelListener.MAX_UNPROVEN; i++) {
        silent.add(new Socket(Channel.loopback(), listener.port()));
      }
      try (Socket oneMore = new Socket(Channel.loopback(), listener.port())) {
        assertThat(oneMore.getInputStream().read()).isNegative();
      }
      silent.removeFirst().close();
      connectWhenThereIsRoom().close();
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  private Channel connectWhenThereIsRoom() throws IOException {
    while (true) {
      try {
        return connect();
      } catch (ConnectException e) {
        throw e;
      } catch (IOException e) {
        Thread.onSpinWait(); // the place isn't free yet
      }
    }
  }

  @Test
  void anApplicationDoesNotTellAnImpostorAnything() throws Exception {
    try (ServerSocket impostor = new ServerSocket(0, 1, Channel.loopback())) {
      CompletableFuture<byte[]> heard = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket socket = impostor.accept()) {
                  socket.getOutputStream().write(noise(2 * ChannelSecret.SIZE_BYTES));
                  heard.complete(socket.getInputStream().readAllBytes());
                } catch (IOException e) {
                  heard.completeExceptionally(e);
                }
              });

      assertThatThrownBy(
              () -> Channel.connect(impostor.getLocalPort(), ChannelSecret.random(), LONG))
          .isInstanceOf(ProtocolException.class);
      assertThat(heard.get()).hasSize(5 + ChannelSecret.SIZE_BYTES); // a greeting, and no proof
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, Channel.MAX_FRAME_BYTES + 1, Integer.MAX_VALUE})
  void aFrameOfAnImpossibleLengthEndsTheChannel(int length) throws Exception {
    assertThatThrownBy(() -> receiveRaw(length, 1)).isInstanceOf(ProtocolException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 6, 127})
  void anUnknownMessageEndsTheChannel(int number) {
    assertThatThrownBy(() -> receiveRaw(1, number)).isInstanceOf(ProtocolException.class);
  }

  /// What proves itself sends these raw bytes.
  private void receiveRaw(int length, int number) throws IOException {
    try (Socket socket = new Socket(Channel.loopback(), listener.port())) {
      new Handshake(socket, listener.secret(), LONG).asApplication();
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(length);
      out.writeByte(number);
      try (Channel launcher = listener.await()) {
        launcher.receive();
      }
    }
  }

  @Test
  void theEndOfOneSideIsSeenByTheOther() throws IOException {
    connect().close();
    try (Channel launcher = listener.await()) {
      assertThatThrownBy(launcher::receive).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void whoWaitsIsToldThatNobodyComes() {
    listener.close();

    assertThatThrownBy(() -> listener.await()).hasMessage("the application did not connect");
    assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
  }

  private Channel connect() throws IOException {
    return Channel.connect(listener.port(), listener.secret(), LONG);
  }

  private void assertHungUp(byte[] said) throws IOException {
    try (Socket stranger = new Socket(Channel.loopback(), listener.port())) {
      stranger.getOutputStream().write(said);
      assertThat(stranger.getInputStream().read()).isNegative();
    } catch (SocketException e) {
      // Hung up with some of it unread, which resets the connection.
      assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe).*");
    }
  }

  private static byte[] noise(int size) {
    byte[] bytes = new byte[size];
    new Random(1).nextBytes(bytes);
    return bytes;
  }
}
