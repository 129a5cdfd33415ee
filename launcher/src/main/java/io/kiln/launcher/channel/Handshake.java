package io.kiln.launcher.channel;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/// How the two ends of a new connection prove to each other that they know the secret:
///
///     application → launcher   MAGIC, A                          A and L: 32 random bytes each
///     launcher → application   L, HMAC(secret, "launcher", A, L)
///     application → launcher   HMAC(secret, "application", A, L)
///
/// Each part has a fixed size, so a stranger can't make either side keep much. The roles are part
/// of what is proved, so neither proof can be sent back as the other.
final class Handshake {

  /// Its last byte is the version of all that follows.
  private static final byte[] MAGIC = {'K', 'I', 'L', 'N', 1};

  private static final byte[] LAUNCHER = "launcher".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] APPLICATION = "application".getBytes(StandardCharsets.US_ASCII);

  private final Socket socket;
  private final ChannelSecret secret;
  private final long deadlineNanos;

  /// @param limit for all of it, however slowly the other side speaks
  Handshake(Socket socket, ChannelSecret secret, Duration limit) {
    this.socket = socket;
    this.secret = secret;
    this.deadlineNanos = System.nanoTime() + limit.toNanos();
  }

  /// @throws ProtocolException if the other side doesn't know the secret
  void asApplication() throws IOException {
    byte[] ours = ChannelSecret.randomBytes();
    write(MAGIC, ours);
    byte[] theirs = read(ChannelSecret.SIZE_BYTES);
    if (!secret.isProof(read(ChannelSecret.SIZE_BYTES), LAUNCHER, ours, theirs)) {
      throw new ProtocolException("what listens on port " + socket.getPort() + " is another");
    }
    write(secret.proof(APPLICATION, ours, theirs));
    socket.setSoTimeout(0);
  }

  /// @throws ProtocolException if the other side doesn't know the secret
  void asLauncher() throws IOException {
    if (!Arrays.equals(read(MAGIC.length), MAGIC)) {
      throw new ProtocolException("a stranger called, who speaks another protocol");
    }
    byte[] theirs = read(ChannelSecret.SIZE_BYTES);
    byte[] ours = ChannelSecret.randomBytes();
    write(ours, secret.proof(LAUNCHER, theirs, ours));
    if (!secret.isProof(read(ChannelSecret.SIZE_BYTES), APPLICATION, theirs, ours)) {
      throw new ProtocolException("a stranger called, who does not know the secret");
    }
    socket.setSoTimeout(0);
  }

  private void write(byte[]... parts) throws IOException {
    OutputStream out = socket.getOutputStream();
    for (byte[] part : parts) {
      out.write(part);
    }
  }

  private byte[] read(int size) throws IOException {
    byte[] bytes = new byte[size];
    InputStream in = socket.getInputStream();
    for (int have = 0; have < size; ) {
      long millisLeft = (deadlineNanos - System.nanoTime()) / 1_000_000;
      if (millisLeft <= 0) {
        throw new SocketTimeoutException("the other side took too long to prove itself");
      }
      socket.setSoTimeout((int) Math.min(millisLeft, Integer.MAX_VALUE));
      int count = in.read(bytes, have, size - have);
      if (count < 0) {
        throw new EOFException("the other side hung up before it had proved itself");
      }
      have += count;
    }
    return bytes;
  }
}
