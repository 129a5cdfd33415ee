package io.kiln.launcher.channel;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;

/// Waits on the loopback interface for the one application that knows its secret, then listens no
/// more: the secret is spent, and whoever comes to see it later has nothing of it.
///
/// Callers who haven't proved themselves are heard side by side, each on a virtual thread and for a
/// limited time, and only [#MAX_UNPROVEN] of them.
public final class ChannelListener implements AutoCloseable {

  static final int MAX_UNPROVEN = 16;

  private final ServerSocket server;
  private final ChannelSecret secret = ChannelSecret.random();
  private final Duration limit;
  private final Semaphore places = new Semaphore(MAX_UNPROVEN);
  private final CompletableFuture<Channel> proven = new CompletableFuture<>();

  /// @param limit how long a caller may take to prove itself
  public ChannelListener(Duration limit) throws IOException {
    this.server = new ServerSocket(0, MAX_UNPROVEN, Channel.loopback());
    this.limit = limit;
    Thread.ofVirtual().name("kiln-launcher-listener").start(this::listen);
  }

  public int port() {
    return server.getLocalPort();
  }

  public ChannelSecret secret() {
    return secret;
  }

  private void listen() {
    try (server) {
      while (true) {
        Socket socket = server.accept();
        if (places.tryAcquire()) {
          Thread.ofVirtual().name("kiln-launcher-caller").start(() -> hear(socket));
        } else {
          socket.close();
        }
      }
    } catch (IOException e) {
      proven.completeExceptionally(e); // usually it was closed, by us
    }
  }

  private void hear(Socket socket) {
    try {
      Channel channel = Channel.accepted(socket, secret, limit);
      if (!proven.complete(channel)) {
        channel.close();
      }
      close();
    } catch (IOException e) {
      // A stranger, or one who gave up: there may be others. The socket is closed.
    } finally {
      places.release();
    }
  }

  /// Waits for the application; then the channel is the caller's to close.
  ///
  /// @throws IOException if this is closed before the application has come
  public Channel await() throws IOException {
    try {
      return proven.get();
    } catch (ExecutionException e) {
      throw new IOException("the application did not connect", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      proven.completeExceptionally(e);
    }
  }
}
