package io.kiln.launcher.channel;

import io.kiln.launcher.channel.ChannelMessage.ApplicationFailed;
import io.kiln.launcher.channel.ChannelMessage.ApplicationRunning;
import io.kiln.launcher.channel.ChannelMessage.ApplicationStopping;
import io.kiln.launcher.channel.ChannelMessage.ApplicationSubmitted;
import io.kiln.launcher.channel.ChannelMessage.StopApplication;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// A connection on the loopback interface whose two ends have proved themselves.
///
/// A message is a frame: the length of what follows (4 bytes, big-endian, at most
/// [#MAX_FRAME_BYTES]), the message's number (1 byte) and its text in UTF-8, if it has one.
///
/// Thread-safe, but only one thread may [#receive].
public final class Channel implements AutoCloseable {

  static final int MAX_FRAME_BYTES = 16 << 10;

  private static final int APPLICATION_SUBMITTED = 1;
  private static final int APPLICATION_RUNNING = 2;
  private static final int APPLICATION_FAILED = 3;
  private static final int STOP_APPLICATION = 4;
  private static final int APPLICATION_STOPPING = 5;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;

  private Channel(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    this.out = socket.getOutputStream();
  }

  /// From the application to who launched it.
  ///
  /// @param limit for the connection and again for both proofs
  /// @throws IOException if nobody listens, or somebody who doesn't know the secret
  public static Channel connect(int port, ChannelSecret secret, Duration limit) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(loopback(), port), (int) limit.toMillis());
      new Handshake(socket, secret, limit).asApplication();
      return new Channel(socket);
    } catch (IOException e) {
      closeAfter(e, socket);
      throw e;
    }
  }

  /// @throws IOException if the other side doesn't prove in time that it knows the secret
  static Channel accepted(Socket socket, ChannelSecret secret, Duration limit) throws IOException {
    try {
      socket.setTcpNoDelay(true);
      new Handshake(socket, secret, limit).asLauncher();
      return new Channel(socket);
    } catch (IOException e) {
      closeAfter(e, socket);
      throw e;
    }
  }

  /// Always that of IPv4, as two JVMs may not agree on which they prefer.
  static InetAddress loopback() throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
  }

  private static void closeAfter(IOException failure, Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /// A text that doesn't fit into a frame is cut.
  public void send(ChannelMessage message) throws IOException {
    switch (message) {
      case ApplicationSubmitted(String id) -> write(APPLICATION_SUBMITTED, id);
      case ApplicationRunning() -> write(APPLICATION_RUNNING, "");
      case ApplicationFailed(String reason) -> write(APPLICATION_FAILED, reason);
      case StopApplication() -> write(STOP_APPLICATION, "");
      case ApplicationStopping() -> write(APPLICATION_STOPPING, "");
    }
  }

  private synchronized void write(int number, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(1 + bytes.length, MAX_FRAME_BYTES);
    ByteBuffer frame = ByteBuffer.allocate(4 + length);
    frame.putInt(length).put((byte) number).put(bytes, 0, length - 1);
    out.write(frame.array());
  }

  /// Waits for the next message.
  ///
  /// @throws java.io.EOFException if the other side is gone
  /// @throws ProtocolException if what came is no message
  public ChannelMessage receive() throws IOException {
    int length = in.readInt();
    if (length < 1 || length > MAX_FRAME_BYTES) {
      throw new ProtocolException("a frame of " + length + " bytes");
    }
    int number = in.readByte();
    byte[] bytes = new byte[length - 1];
    in.readFully(bytes);
    String text = new String(bytes, StandardCharsets.UTF_8);
    return switch (number) {
      case APPLICATION_SUBMITTED -> new ApplicationSubmitted(text);
      case APPLICATION_RUNNING -> new ApplicationRunning();
      case APPLICATION_FAILED -> new ApplicationFailed(text);
      case STOP_APPLICATION -> new StopApplication();
      case APPLICATION_STOPPING -> new ApplicationStopping();
      default -> throw new ProtocolException("a message of the unknown number " + number);
    };
  }

  /// The other side's [#receive] ends, and so does one that waits here.
  @Override
  public void close() throws IOException {
    socket.close();
  }
}
