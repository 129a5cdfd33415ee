package io.kiln.http;

import io.kiln.api.KilnException;
import io.kiln.network.security.Certificates;
import io.kiln.network.security.Proof.Side;
import io.kiln.network.transport.HandshakeThreads;
import io.kiln.network.transport.ListenPort;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// Listens for HTTP/1.1. One thread moves bytes; each request is answered on a virtual thread of
/// its own. Thread-safe; lives from [#open] to [#close], and answers after [#serve].
public final class HttpServer implements AutoCloseable {
  private static final int BACKLOG = 1024;
  private static final int READ_BYTES = 4 << 10;
  private static final long FAREWELL_MILLIS = 500;

  /// Where a server listens, and as whom.
  ///
  /// @param host of the interface
  /// @param hostSetting by which another is chosen
  /// @param purpose for people, after `can't`
  /// @param names by which it may be meant
  /// @param certificates empty: without encryption
  public record Site(
      String host,
      ListenPort port,
      String hostSetting,
      String purpose,
      HostNames names,
      Optional<Certificates> certificates) {}

  private final Site site;
  private final HttpBounds bounds;
  private final Connections connections;
  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("kiln-http", true), NioIoHandler.newFactory());
  private final ExecutorService answers =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("kiln-http-", 0).factory());
  private final HandshakeThreads handshakes = new HandshakeThreads();
  private final ChannelGroup all = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private volatile Optional<RequestHandler> handler = Optional.empty();
  private Channel listening;

  private HttpServer(Site site, HttpBounds bounds) {
    this.site = site;
    this.bounds = bounds;
    this.connections = new Connections(bounds);
  }

  /// Binds the port; whoever comes before [#serve] is told to come again.
  ///
  /// @throws KilnException `PORT_UNAVAILABLE`, `ADDRESS_UNAVAILABLE`
  public static HttpServer open(Site site, HttpBounds bounds) {
    HttpServer server = new HttpServer(site, bounds);
    try {
      server.listening =
          site.port().open(site.purpose(), site.host(), site.hostSetting(), server::bind);
      return server;
    } catch (KilnException e) {
      server.close();
      throw e;
    }
  }

  /// From now on, requests are answered by this.
  public void serve(RequestHandler newHandler) {
    handler = Optional.of(newHandler);
  }

  private Channel bind(InetSocketAddress address) throws IOException {
    ChannelFuture binding =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            // on the heap, where what all connections hold can be bounded by counting
            .childOption(ChannelOption.ALLOCATOR, new UnpooledByteBufAllocator(false))
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR,
                new FixedRecvByteBufAllocator(READ_BYTES).maxMessagesPerRead(1))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    begin(channel);
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!binding.isSuccess()) {
      throw new IOException(binding.cause().getMessage(), binding.cause());
    }
    return binding.channel();
  }

  private void begin(Channel channel) {
    all.add(channel);
    site.certificates().ifPresent(own -> channel.pipeline().addLast(tls(channel, own)));
    channel
        .pipeline()
        .addLast(
            new HttpServerCodec(
                new HttpDecoderConfig()
                    .setMaxInitialLineLength(bounds.lineBytes())
                    .setMaxHeaderSize(bounds.headerBytes())
                    .setMaxChunkSize(READ_BYTES)),
            new FlowControlHandler(),
            new HttpConnection(bounds, connections, site.names(), answers, () -> handler));
    connections.add(channel);
  }

  private SslHandler tls(Channel channel, Certificates own) {
    SslHandler tls =
        new SslHandler(own.newEngine(Side.SERVER), handshakes.of(Connections.origin(channel)));
    tls.setHandshakeTimeout(bounds.requestWithin().toMillis(), TimeUnit.MILLISECONDS);
    tls.setCloseNotifyFlushTimeout(FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
    return tls;
  }

  /// On which it listens.
  public int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /// Where browsers find it.
  ///
  /// @param host by which others reach this one
  public String url(String host) {
    return (site.certificates().isPresent() ? "https://" : "http://")
        + HostNames.text(host, port());
  }

  /// Requests that are being answered are broken off. Idempotent.
  @Override
  public void close() {
    if (listening != null) {
      listening.close().awaitUninterruptibly(FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
    }
    answers.shutdownNow();
    all.close().awaitUninterruptibly(FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
    handshakes.close();
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
