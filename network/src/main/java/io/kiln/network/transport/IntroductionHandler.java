package io.kiln.network.transport;

import io.kiln.network.codec.WireFormatException;
import io.kiln.network.security.Credentials;
import io.kiln.network.security.Proof;
import io.kiln.network.security.Proof.Side;
import io.kiln.network.security.Protection;
import io.kiln.network.transport.Introduction.Purpose;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.ScheduledFuture;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/// The beginning of a connection, for one side of it. On the connection's own thread.
///
/// ```
/// client: (TLS or nonces) ─► sends its introduction ─► waits for the server's ─► done
/// server: (TLS or nonces) ─► waits for the client's ─► sends its own ──────────► done
/// ```
///
/// Where there is a secret and no TLS, the client's first frame is its nonce, and the server's
/// first one is the answer to it.
///
/// Whatever goes wrong, and whatever takes too long, closes the connection. A server says nothing
/// of itself before it has believed the client's proof.
final class IntroductionHandler extends SimpleChannelInboundHandler<ByteBuf> {

  /// What becomes of the connection.
  interface Outcome {
    /// The handler has removed itself; what goes on with the connection is to be put in its place.
    void introduced(ChannelHandlerContext context, Introduction other);

    /// The connection is being closed.
    ///
    /// @param why one line
    void failed(ChannelHandlerContext context, String why);
  }

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Side side;
  private final TransportOptions options;
  private final long registry;
  private final Purpose purpose;
  private final Outcome outcome;
  private final byte[] nonce = new byte[Proof.NONCE_BYTES];
  private Optional<Proof> proof = Optional.empty();
  private ScheduledFuture<?> deadline;
  private boolean ended;

  /// @param purpose what a client wants; a server repeats what it is asked for
  IntroductionHandler(
      Side side, TransportOptions options, long registry, Purpose purpose, Outcome outcome) {
    this.side = side;
    this.options = options;
    this.registry = registry;
    this.purpose = purpose;
    this.outcome = outcome;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    deadline =
        context
            .executor()
            .schedule(
                () -> fail(context, late(context)),
                options.connectTimeout().toMillis(),
                TimeUnit.MILLISECONDS);
    if (context.channel().isActive()) {
      begin(context);
    }
  }

  private static String late(ChannelHandlerContext context) {
    return context.pipeline().get(Connector.ARRIVAL) == null
        ? "it did not introduce itself in time"
        : "it said nothing in time";
  }

  /// What is over is held by no timer: many short connections would fill the memory.
  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    deadline.cancel(false);
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    begin(context);
    context.fireChannelActive();
  }

  private void begin(ChannelHandlerContext context) {
    switch (options.protection()) {
      case Protection.None _ -> {
        if (side == Side.CLIENT) {
          introduce(context, purpose);
        }
      }
      case Protection.Proven _ -> {
        RANDOM.nextBytes(nonce);
        if (side == Side.CLIENT) {
          send(context, nonce);
        }
      }
      case Protection.Encrypted _, Protection.Certified _ -> {} // goes on when there is TLS
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
    if (event instanceof SslHandshakeCompletionEvent handshake
        && options.protection() instanceof Protection.Encrypted(Credentials credentials)) {
      secured(context, handshake, Optional.of(credentials));
      return;
    }
    if (event instanceof SslHandshakeCompletionEvent handshake
        && options.protection()
            instanceof Protection.Certified(_, Optional<Credentials> credentials)) {
      secured(context, handshake, credentials);
      return;
    }
    if (event instanceof PendingConnections.Crowded crowded) {
      fail(context, crowded.why());
      return;
    }
    super.userEventTriggered(context, event);
  }

  private void secured(
      ChannelHandlerContext context,
      SslHandshakeCompletionEvent handshake,
      Optional<Credentials> credentials)
      throws SSLException {
    if (!handshake.isSuccess()) {
      fail(context, "no TLS connection came about: " + Causes.line(handshake.cause()));
      return;
    }
    if (credentials.isPresent()) {
      SslHandler tls = context.pipeline().get(SslHandler.class);
      proof = Optional.of(Proof.on(tls.engine().getSession(), credentials.get()));
    }
    if (side == Side.CLIENT) {
      introduce(context, purpose);
    }
  }

  /// The other side's nonce has come.
  private void challenged(ChannelHandlerContext context, byte[] other, Credentials credentials) {
    if (other.length != Proof.NONCE_BYTES) {
      fail(context, "it is no Kiln process that proves a secret without encryption");
    } else if (side == Side.CLIENT) {
      proof = Optional.of(Proof.on(nonce, other, credentials));
      introduce(context, purpose);
    } else {
      proof = Optional.of(Proof.on(other, nonce, credentials));
      send(context, nonce);
    }
  }

  private Introduction own(Purpose itsPurpose) {
    return new Introduction(
        proof.map(known -> known.of(side, options.self().process())).orElse(Introduction.NO_PROOF),
        Introduction.PROTOCOL_VERSION,
        registry,
        itsPurpose,
        options.self());
  }

  private void introduce(ChannelHandlerContext context, Purpose itsPurpose) {
    send(context, own(itsPurpose).toBytes());
  }

  private static void send(ChannelHandlerContext context, byte[] content) {
    ByteBuf frame = Unpooled.buffer(Integer.BYTES + content.length);
    frame.writeInt(content.length).writeBytes(content);
    context.writeAndFlush(frame);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
    if (ended) {
      return;
    }
    byte[] bytes = new byte[frame.readableBytes()];
    frame.readBytes(bytes);
    if (options.protection() instanceof Protection.Proven(Credentials credentials)
        && proof.isEmpty()) {
      challenged(context, bytes, credentials);
      return;
    }
    Introduction other;
    try {
      other = Introduction.of(bytes);
    } catch (WireFormatException e) {
      fail(context, "it is no Kiln process: " + e.getMessage());
      return;
    }
    String doubt = doubt(other);
    if (!doubt.isEmpty()) {
      fail(context, doubt);
      return;
    }
    String mismatch = own(purpose).mismatchWith(other);
    if (side == Side.SERVER) {
      introduce(context, other.purpose());
    }
    if (mismatch.isEmpty()) {
      ended = true;
      outcome.introduced(context, other);
    } else {
      fail(context, mismatch);
    }
  }

  /// Why the other side isn't believed; empty if it is.
  private String doubt(Introduction other) {
    Side others = side == Side.CLIENT ? Side.SERVER : Side.CLIENT;
    String name = other.peer().process();
    if (proof.isEmpty() || proof.get().isOf(others, name, other.proof())) {
      return "";
    }
    return proof.get().knows(name)
        ? "it does not know the secret"
        : "it says that it is "
            + name
            + ", which has nothing to do with "
            + options.self().process();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail(
        context,
        side == Side.CLIENT
            ? "it closed the connection without an answer; the two sides may differ in their"
                + " secrets, or in whether they use encryption"
            : "it went before it had introduced itself");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    fail(
        context,
        cause instanceof TooLongFrameException
            ? "it is no Kiln process: it announces more than "
                + Introduction.MAX_BYTES
                + " bytes of introduction"
            : Causes.line(cause));
  }

  private void fail(ChannelHandlerContext context, String why) {
    if (!ended) {
      ended = true;
      outcome.failed(context, why);
      context.close();
    }
  }
}
