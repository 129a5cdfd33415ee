package io.kiln.network.transport;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Objects;

/// What a peer sends for one request. Read by one thread, filled by the connection's.
///
/// At most about [#MAX_QUEUED_BYTES] wait here: then nothing more is read from the connection, and
/// the sender has to wait. It ends after exactly [#lengthBytes]; a connection that breaks earlier
/// is an [IOException], never an early end. Closing it before its end closes the connection.
public final class ContentStream extends InputStream {
  static final int MAX_QUEUED_BYTES = 4 << 20;

  /// How the stream acts on its connection. None of it blocks.
  interface Connection {
    /// Reads nothing more for now.
    void pause();

    /// Goes on reading.
    void resume();

    /// All was taken: the connection can serve another request.
    void done();

    /// The rest isn't wanted.
    void abandon();
  }

  private final long lengthBytes;
  private final Connection connection;

  // guarded by this
  private final ArrayDeque<ByteBuf> queue = new ArrayDeque<>();
  private long queuedBytes;
  private boolean paused;
  private IOException failure;
  private long leftToRead;
  private boolean closed;

  ContentStream(long lengthBytes, Connection connection) {
    this.lengthBytes = lengthBytes;
    this.leftToRead = lengthBytes;
    this.connection = connection;
  }

  public long lengthBytes() {
    return lengthBytes;
  }

  // ---- the connection's side ----------------------------------------------------------------

  /// @param bytes owned by the stream from now on
  synchronized void add(ByteBuf bytes) {
    if (closed) {
      bytes.release();
      return;
    }
    queue.add(bytes);
    queuedBytes += bytes.readableBytes();
    if (queuedBytes > MAX_QUEUED_BYTES && !paused) {
      paused = true;
      connection.pause(); // inside the lock, as resuming is: the later of the two has to win
    }
    notifyAll();
  }

  synchronized void fail(IOException why) {
    if (failure == null) {
      failure = why;
      notifyAll();
    }
  }

  // ---- the reader's side ----------------------------------------------------------------------

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    synchronized (this) {
      ByteBuf first = await();
      if (first == null) {
        return -1;
      }
      int count = Math.min(length, first.readableBytes());
      first.readBytes(target, offset, count);
      if (!first.isReadable()) {
        queue.remove().release();
      }
      queuedBytes -= count;
      leftToRead -= count;
      if (paused && queuedBytes <= MAX_QUEUED_BYTES / 2) {
        paused = false;
        connection.resume();
      }
      return count;
    }
  }

  private ByteBuf await() throws IOException {
    while (queue.isEmpty()) {
      if (closed) {
        throw new IOException("the stream is closed");
      }
      if (leftToRead == 0) {
        return null;
      }
      if (failure != null) {
        throw new IOException(
            failure.getMessage() + ", with " + leftToRead + " of " + lengthBytes + " bytes missing",
            failure);
      }
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new java.io.InterruptedIOException("interrupted while waiting for a peer's bytes");
      }
    }
    return queue.peek();
  }

  @Override
  public synchronized int available() {
    return (int) Math.min(Integer.MAX_VALUE, queuedBytes);
  }

  /// Idempotent.
  @Override
  public void close() {
    boolean complete;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      complete = leftToRead == 0;
      queue.forEach(ByteBuf::release);
      queue.clear();
      queuedBytes = 0;
      notifyAll();
    }
    if (complete) {
      connection.done();
    } else {
      connection.abandon();
    }
  }
}
