package io.kiln.programs.cluster;

import io.kiln.network.codec.WireWriter;
import io.kiln.network.security.Credentials;
import io.kiln.network.security.Proof;
import io.kiln.network.security.ThrowawayIdentity;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/// A connection to one of the cluster's ports that speaks its protocol only as far as a test wants.
/// Used by one thread.
final class Stranger implements AutoCloseable {
  private static final SSLContext IDENTITY = ThrowawayIdentity.newContext();
  private static final int PATIENCE_MILLIS = 60_000;

  private final Socket socket;
  private final String address;

  private Stranger(Socket socket) throws IOException {
    this.socket = socket;
    this.address = socket.getLocalAddress().getHostAddress() + ":" + socket.getLocalPort();
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  static Stranger plain(int port) throws IOException {
    return new Stranger(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /// TLS is there, and nothing is said yet.
  static Stranger secured(int port) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            IDENTITY.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    socket.startHandshake();
    return new Stranger(socket);
  }

  /// As the log of the other side names it.
  String address() {
    return address;
  }

  Stranger send(byte[] bytes) throws IOException {
    try {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    } catch (SocketException | SSLException e) {
      // it has been closed already, which is what is to be seen
    }
    return this;
  }

  /// An introduction as the protocol's version 1 has it, and others might go on.
  byte[] introduction(String secret, int protocol, String engineVersion) throws IOException {
    Proof proof =
        Proof.on(
            ((SSLSocket) socket).getSession(),
            Credentials.ofAll(secret.getBytes(StandardCharsets.UTF_8)));
    WireWriter out = new WireWriter(128);
    out.writeFixedInt(0);
    out.writeFixedInt(0x4B494C4E);
    out.writeRaw(proof.of(Proof.Side.CLIENT, "executor-77"), 0, Proof.BYTES);
    out.writeUnsigned(protocol);
    out.writeString(engineVersion);
    out.writeString("executor-77");
    out.writeFixedLong(1);
    out.writeByte(0);
    out.writeSigned(5);
    out.patchFixedInt(0, out.size() - Integer.BYTES);
    return out.toByteArray();
  }

  /// The other side's frame.
  byte[] receive() throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    return in.readNBytes(in.readInt());
  }

  /// Waits until the other side closes.
  ///
  /// @return how many bytes it sent before, as far as they can be read
  int awaitEnd() throws IOException {
    try {
      return socket.getInputStream().readAllBytes().length;
    } catch (SocketException | SSLException e) {
      return 0; // closed hard: as good
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
