package io.kiln.network.transport;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Message;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.codec.WireReader;
import io.kiln.network.codec.WireWriter;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// One connection for messages, whichever side opened it. Thread-safe.
///
/// ```
///               both sides believe each other                 closed, broken, silent, or too slow
///   Opening ─────────────────────────────────► Open ─────────────────────────────► Closed
///      └─────────────────────────────────────────────────────────────────────────────▲
/// ```
///
/// What one thread sends arrives in the order in which it was sent, or not at all. What is sent
/// while the link opens waits. What is sent in one go leaves in one go: messages gather in an array
/// until a thread that moves bytes takes them. If more than
/// [TransportOptions#maxWaitingBytes] wait because the peer doesn't read, the link is closed.
public final class Link {
  private static final int KEPT_BYTES = 64 << 10;

  private final NodeAddress address;
  private final RecordCodec codec;
  private final TransportOptions options;
  private final LinkListener listener;
  private final Map<Long, CompletableFuture<Record>> questions = new ConcurrentHashMap<>();
  private final AtomicLong nextQuestion = new AtomicLong();

  // guarded by this
  private WireWriter gathered = new WireWriter(1024);
  private boolean flushIsDue;
  private long waitingBytes;
  private Channel channel;
  private Peer peer;
  private boolean open;
  private String closedWhy;

  /// @param address that was connected to, or from which the peer came
  Link(NodeAddress address, RecordCodec codec, TransportOptions options, LinkListener listener) {
    this.address = address;
    this.codec = codec;
    this.options = options;
    this.listener = listener;
  }

  /// Where the peer was reached, or the address that it came from.
  public NodeAddress address() {
    return address;
  }

  /// Who it is, once the link is open.
  public synchronized Optional<Peer> peer() {
    return Optional.ofNullable(peer);
  }

  public synchronized boolean isClosed() {
    return closedWhy != null;
  }

  /// Whether the link can be used: it is open, or on its way.
  synchronized boolean isUsable() {
    return closedWhy == null;
  }

  /// Sends what fits no answer. After the link has closed, nothing happens: who must know has a
  /// [LinkListener].
  ///
  /// @throws KilnException `MESSAGE_TOO_LARGE`
  public void send(String endpoint, Message message) {
    send(endpoint, List.of(message));
  }

  /// As if sent one after the other; if one is refused, none is sent.
  public void send(String endpoint, List<? extends Message> messages) {
    boolean tooSlow;
    synchronized (this) {
      if (closedWhy != null) {
        return;
      }
      int before = gathered.size();
      try {
        for (int i = 0; i < messages.size(); i++) {
          int begin = beginFrame(FrameKind.MESSAGE);
          gathered.writeString(endpoint);
          codec.write(messages.get(i), gathered);
          endFrame(begin);
        }
      } catch (RuntimeException | Error e) {
        gathered.truncate(before);
        throw e;
      }
      tooSlow = flushSoon();
    }
    closeIf(tooSlow);
  }

  /// Asks an endpoint's [Responder].
  ///
  /// @param deadline after which the answer is not waited for any more
  /// @return completed exceptionally with a [KilnException]: the responder's own, or
  /// `ANSWER_TIMED_OUT`, or `PEER_LOST`
  public CompletableFuture<Record> ask(String endpoint, Record question, Duration deadline) {
    long id = nextQuestion.getAndIncrement();
    CompletableFuture<Record> answer = new CompletableFuture<>();
    questions.put(id, answer);
    boolean tooSlow = false;
    synchronized (this) {
      if (closedWhy == null) {
        int begin = beginFrame(FrameKind.QUESTION);
        try {
          gathered.writeUnsigned(id);
          gathered.writeString(endpoint);
          codec.write(question, gathered);
          endFrame(begin);
        } catch (RuntimeException | Error e) {
          gathered.truncate(begin);
          questions.remove(id);
          throw e;
        }
        tooSlow = flushSoon();
      } else {
        answer.completeExceptionally(lost(closedWhy));
      }
    }
    closeIf(tooSlow);
    CompletableFuture<Record> bounded =
        answer.orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS);
    return bounded
        .exceptionallyCompose(
            failure -> CompletableFuture.failedFuture(named(failure, endpoint, deadline)))
        .whenComplete((_, _) -> questions.remove(id));
  }

  private KilnException named(Throwable failure, String endpoint, Duration deadline) {
    if (failure instanceof KilnException known) {
      return known;
    }
    return new KilnException(
        "ANSWER_TIMED_OUT",
        KilnException.Kind.EXTERNAL,
        endpoint + " at " + this + " gave no answer within " + deadline.toMillis() + " ms");
  }

  /// Idempotent. What was sent before may still arrive.
  public void close() {
    close("it was closed on this side");
  }

  // ---- the frames, inside the lock ------------------------------------------------------------

  @SuppressWarnings("EnumOrdinal") // of this protocol version
  private int beginFrame(FrameKind kind) {
    int begin = gathered.size();
    gathered.writeFixedInt(0);
    gathered.writeByte(kind.ordinal());
    return begin;
  }

  private void endFrame(int begin) {
    int length = gathered.size() - begin - Integer.BYTES;
    if (length > options.maxMessageBytes()) {
      gathered.truncate(begin);
      throw new KilnException(
          "MESSAGE_TOO_LARGE",
          KilnException.Kind.RESOURCES,
          "a message of "
              + length
              + " bytes for "
              + this
              + " is larger than spark.rpc.message.maxSize allows ("
              + options.maxMessageBytes()
              + " bytes); raise it, or broadcast what is large");
    }
    gathered.patchFixedInt(begin, length);
  }

  /// @return whether too much waits
  private boolean flushSoon() {
    if (open && !flushIsDue) {
      flushIsDue = true;
      channel.eventLoop().execute(this::flush);
    }
    return waitingBytes + gathered.size() > options.maxWaitingBytes();
  }

  private void closeIf(boolean tooSlow) {
    if (tooSlow) {
      close(
          "it does not read: more than "
              + options.maxWaitingBytes()
              + " bytes wait for it, so the connection is given up");
    }
  }

  // ---- the threads that move bytes ------------------------------------------------------------

  private void flush() {
    byte[] bytes;
    int size;
    synchronized (this) {
      flushIsDue = false;
      size = gathered.size();
      if (size == 0 || closedWhy != null) {
        return;
      }
      bytes = gathered.array();
      gathered = new WireWriter(Math.min(KEPT_BYTES, Math.max(256, size)));
      waitingBytes += size;
    }
    channel.writeAndFlush(Unpooled.wrappedBuffer(bytes, 0, size)).addListener(_ -> written(size));
  }

  private synchronized void written(int size) {
    waitingBytes -= size;
  }

  void opened(Channel newChannel, Peer newPeer) {
    synchronized (this) {
      if (closedWhy != null) {
        newChannel.close();
        return;
      }
      channel = newChannel;
      peer = newPeer;
      open = true;
    }
    listener.linkOpened(this);
    newChannel.eventLoop().execute(this::flush);
  }

  /// Shows that this side lives, if nothing else does.
  void sendAlive() {
    synchronized (this) {
      if (closedWhy == null) {
        endFrame(beginFrame(FrameKind.ALIVE));
        boolean _ = flushSoon();
      }
    }
  }

  void answer(long question, Record answer) {
    boolean tooSlow;
    synchronized (this) {
      if (closedWhy != null) {
        return;
      }
      int begin = beginFrame(FrameKind.ANSWER);
      try {
        gathered.writeUnsigned(question);
        codec.write(answer, gathered);
        endFrame(begin);
      } catch (RuntimeException | Error e) {
        gathered.truncate(begin);
        throw e; // whoever answers refuses instead
      }
      tooSlow = flushSoon();
    }
    closeIf(tooSlow);
  }

  void refuse(long question, Throwable why) {
    synchronized (this) {
      if (closedWhy == null) {
        int begin = beginFrame(FrameKind.REFUSAL);
        gathered.writeUnsigned(question);
        Refusals.write(why, gathered);
        endFrame(begin);
        boolean _ = flushSoon();
      }
    }
  }

  void answered(long question, Record answer) {
    CompletableFuture<Record> asked = questions.get(question);
    if (asked != null) {
      asked.complete(answer);
    }
  }

  void refused(long question, WireReader in) {
    KilnException why = Refusals.read(in);
    CompletableFuture<Record> asked = questions.get(question);
    if (asked != null) {
      asked.completeExceptionally(why);
    }
  }

  /// The first reason counts.
  void close(String why) {
    Channel toClose;
    synchronized (this) {
      if (closedWhy != null) {
        return;
      }
      closedWhy = why;
      toClose = channel;
      gathered = new WireWriter(0);
    }
    if (toClose != null) {
      toClose.close();
    }
    KilnException lost = lost(why);
    questions.values().forEach(question -> question.completeExceptionally(lost));
    listener.linkClosed(this, why);
  }

  private KilnException lost(String why) {
    return new KilnException(
        "PEER_LOST", KilnException.Kind.EXTERNAL, "the connection to " + this + " is gone: " + why);
  }

  @Override
  public synchronized String toString() {
    return peer == null ? address.toString() : peer + " at " + address;
  }
}
