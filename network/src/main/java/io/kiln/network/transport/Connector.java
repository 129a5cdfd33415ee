package io.kiln.network.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.kiln.network.codec.RecordCodec;
import io.kiln.network.security.Certificates;
import io.kiln.network.security.Proof.Side;
import io.kiln.network.security.Protection;
import io.kiln.network.security.ThrowawayIdentity;
import io.kiln.network.transport.Introduction.Purpose;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens sockets and brings connections to where both sides believe each other. Thread-safe.
final class Connector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Connector.class);
  private static final Set<String> HTTP = Set.of("GET ", "HEAD", "POST", "PUT ", "OPTI");

  static final String ARRIVAL = "arrival";
  static final String TLS = "tls";
  static final String FRAMES = "frames";
  static final String INTRODUCTION = "introduction";

  /// A client makes a key for two groups, if it may. The second costs a young process 100 ms.
  private static final String[] KEY_EXCHANGE = {"x25519"};

  private static final String[] PROTOCOLS = {"TLSv1.3"};
  private static final int LOW_WATER_BYTES = 512 << 10;
  private static final int HIGH_WATER_BYTES = 2 << 20;
  private static final long FAREWELL_MILLIS = 500;
  private static final int BACKLOG = 1024;

  private final TransportOptions options;
  private final RecordCodec codec;
  private final EventLoopGroup group;
  private final boolean epoll;
  private final Optional<Function<Side, SSLEngine>> tls;
  private final ChannelGroup all = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final PendingConnections pending = new PendingConnections();
  private volatile boolean closing;
  private final HandshakeThreads handshakes = new HandshakeThreads();

  Connector(TransportOptions options, RecordCodec codec) {
    this.options = options;
    this.codec = codec;
    this.epoll = Epoll.isAvailable();
    this.tls = tls(options.protection());
    this.group =
        new MultiThreadIoEventLoopGroup(
            options.ioThreads(),
            new DefaultThreadFactory("kiln-network", true),
            epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    group.forEach(loop -> loop.terminationFuture().addListener(_ -> ended()));
  }

  /// An event loop is a thread whose death Netty only logs: its connections would be silent from
  /// then on, and new ones too.
  private void ended() {
    if (!closing) {
      Thread.ofPlatform()
          .name("kiln-network-lost")
          .start(
              () -> {
                throw new IllegalStateException("a thread of the network has died; see the log");
              });
    }
  }

  /// @return makes what encrypts one connection
  private static Optional<Function<Side, SSLEngine>> tls(Protection protection) {
    return switch (protection) {
      case Protection.None _, Protection.Proven _ -> Optional.empty();
      case Protection.Encrypted _ -> {
        SSLContext context = ThrowawayIdentity.newContext();
        yield Optional.of(side -> throwawayEngine(context, side));
      }
      case Protection.Certified(Certificates certificates, _) ->
          Optional.of(certificates::newEngine);
    };
  }

  private static SSLEngine throwawayEngine(SSLContext context, Side side) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(side == Side.CLIENT);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    parameters.setNamedGroups(KEY_EXCHANGE);
    engine.setSSLParameters(parameters);
    return engine;
  }

  /// Who connects waits until the channel reads.
  ///
  /// @return completes when the socket is bound or can't be
  ChannelFuture bind(InetSocketAddress address, IntroductionHandler.Outcome outcome) {
    return new ServerBootstrap()
        .group(group)
        .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .option(ChannelOption.SO_REUSEADDR, true)
        .option(ChannelOption.AUTO_READ, false)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.SO_KEEPALIVE, true)
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark())
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                all.add(channel);
                introduce(channel.pipeline(), Side.SERVER, Purpose.MESSAGES, outcome);
                channel.pipeline().addFirst(ARRIVAL, new Arrival());
                pending.add(channel);
              }
            })
        .bind(address);
  }

  /// @return completes when the socket is connected or can't be; the outcome comes after
  ChannelFuture connect(
      InetSocketAddress address, Purpose purpose, IntroductionHandler.Outcome outcome) {
    return new Bootstrap()
        .group(group)
        .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) options.connectTimeout().toMillis())
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark())
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                all.add(channel);
                tls.ifPresent(
                    each ->
                        channel
                            .pipeline()
                            .addLast(TLS, tlsHandler(each.apply(Side.CLIENT), Side.CLIENT)));
                introduce(channel.pipeline(), Side.CLIENT, purpose, outcome);
              }
            })
        .connect(address);
  }

  private static WriteBufferWaterMark waterMark() {
    return new WriteBufferWaterMark(LOW_WATER_BYTES, HIGH_WATER_BYTES);
  }

  private void introduce(
      ChannelPipeline pipeline, Side side, Purpose purpose, IntroductionHandler.Outcome outcome) {
    pipeline.addLast(FRAMES, frames(Introduction.MAX_BYTES));
    pipeline.addLast(
        INTRODUCTION,
        new IntroductionHandler(side, options, codec.fingerprint(), purpose, outcome));
  }

  /// @param origin whose hand-shakes take turns with others'
  private SslHandler tlsHandler(SSLEngine engine, Object origin) {
    SslHandler handler = new SslHandler(engine, handshakes.of(origin));
    handler.setCloseNotifyFlushTimeout(FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
    handler.setHandshakeTimeout(options.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
    return handler;
  }

  /// First in the pipeline of a connection that came from outside until it says something: one that
  /// doesn't costs nothing of TLS.
  private final class Arrival extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      pending.spoke(context.channel());
      if (message instanceof ByteBuf bytes && isHttp(bytes)) {
        LOG.debug("{} speaks HTTP here and is closed", context.channel().remoteAddress());
        bytes.release();
        context.pipeline().remove(INTRODUCTION); // which would say that it has gone
        context.close();
        return;
      }
      tls.ifPresent(
          each ->
              context
                  .pipeline()
                  .addAfter(
                      context.name(),
                      TLS,
                      tlsHandler(
                          each.apply(Side.SERVER), PendingConnections.origin(context.channel()))));
      context.fireChannelRead(message);
      context.pipeline().remove(this);
    }
  }

  /// A browser, or somebody who asks what this port speaks: no reason for alarm.
  private static boolean isHttp(ByteBuf bytes) {
    return bytes.readableBytes() >= Integer.BYTES
        && HTTP.contains(bytes.toString(bytes.readerIndex(), Integer.BYTES, US_ASCII));
  }

  static LengthFieldBasedFrameDecoder frames(int maxBytes) {
    return new LengthFieldBasedFrameDecoder(
        maxBytes + Integer.BYTES, 0, Integer.BYTES, 0, Integer.BYTES);
  }

  /// A connection that came from outside is believed.
  void believed(Channel channel) {
    pending.remove(channel);
  }

  /// Closes every connection, and drops what a peer has not taken a moment later.
  @Override
  public void close() {
    closing = true;
    all.close().awaitUninterruptibly(2 * FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
    handshakes.close();
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
