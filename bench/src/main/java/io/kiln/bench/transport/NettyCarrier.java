package io.kiln.bench.transport;

import io.kiln.network.security.ThrowawayIdentity;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.stream.ChunkedNioFile;
import io.netty.handler.stream.ChunkedWriteHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/// Netty and nothing else: frames that are sent back as they come, and a file whose bytes are
/// counted as they come. A message has as many bytes as Kiln's, and nobody looks into it.
final class NettyCarrier implements Carrier {
  private static final int MESSAGE_BYTES = TransportBench.PAYLOAD_BYTES + 12; // Kiln's headings
  private static final int MAX_MESSAGE_BYTES = 1 << 20;
  private static final int CHUNK_BYTES = 256 << 10;

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(
          2,
          new DefaultThreadFactory("bare-netty", true),
          Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
  private final Optional<SSLContext> tls;
  private final Path file;
  private final long fileBytes;
  private final Channel messages;
  private final Channel streams;
  private volatile Rally rally;
  private volatile CountDownLatch streamed;

  NettyCarrier(Path file, boolean encrypted) throws IOException {
    this.tls = encrypted ? Optional.of(ThrowawayIdentity.newContext()) : Optional.empty();
    this.file = file;
    this.fileBytes = Files.size(file);
    messages = connect(listen(() -> framed(new Echo())), () -> framed(new Messages()));
    streams =
        connect(
            listen(() -> new ChannelHandler[] {new FileSender()}),
            () -> new ChannelHandler[] {new Streams()});
  }

  /// Makes a connection's last handlers.
  private interface LastHandlers {
    ChannelHandler[] handlers();
  }

  private static ChannelHandler[] framed(ChannelHandler last) {
    return new ChannelHandler[] {
      new LengthFieldBasedFrameDecoder(MAX_MESSAGE_BYTES, 0, Integer.BYTES), last
    };
  }

  private SocketAddress listen(LastHandlers last) {
    return new ServerBootstrap()
        .group(group)
        .channel(
            Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childHandler(pipeline(false, last))
        .bind(InetAddress.getLoopbackAddress(), 0)
        .syncUninterruptibly()
        .channel()
        .localAddress();
  }

  private Channel connect(SocketAddress address, LastHandlers last) {
    return new Bootstrap()
        .group(group)
        .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .handler(pipeline(true, last))
        .connect(address)
        .syncUninterruptibly()
        .channel();
  }

  private ChannelInitializer<Channel> pipeline(boolean client, LastHandlers last) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        ChannelPipeline pipeline = channel.pipeline();
        tls.ifPresent(
            context -> {
              SSLEngine engine = context.createSSLEngine();
              engine.setUseClientMode(client);
              pipeline.addLast(new SslHandler(engine), new ChunkedWriteHandler());
            });
        pipeline.addLast(last.handlers());
      }
    };
  }

  private static void writeMessage(Channel channel) {
    int rest = MESSAGE_BYTES - Integer.BYTES;
    channel.write(channel.alloc().buffer(MESSAGE_BYTES).writeInt(rest).writeZero(rest));
  }

  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      context.write(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }

  /// Sends the file for each byte that comes.
  private final class FileSender extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      for (int i = ((ByteBuf) message).readableBytes(); i > 0; i--) {
        context.writeAndFlush(content());
      }
      ((ByteBuf) message).release();
    }

    private Object content() {
      try {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        return tls.isPresent()
            ? new ChunkedNioFile(channel, 0, fileBytes, CHUNK_BYTES)
            : new DefaultFileRegion(channel, 0, fileBytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private final class Messages extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ((ByteBuf) message).release();
      Rally running = rally;
      if (running.next()) {
        writeMessage(context.channel());
      }
      running.back();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }

  private final class Streams extends ChannelInboundHandlerAdapter {
    private long missing = fileBytes;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      missing -= bytes.readableBytes();
      bytes.release();
      if (missing == 0) {
        missing = fileBytes;
        streamed.countDown();
      }
    }
  }

  @Override
  public String engine() {
    return "netty";
  }

  @Override
  public void exchange(int inFlight, int count) throws InterruptedException {
    Rally newRally = new Rally(count);
    rally = newRally;
    messages
        .eventLoop()
        .execute(
            () -> {
              for (int i = 0; i < inFlight && newRally.next(); i++) {
                writeMessage(messages);
              }
              messages.flush();
            });
    newRally.await();
  }

  @Override
  public long stream() throws InterruptedException {
    streamed = new CountDownLatch(1);
    streams.writeAndFlush(streams.alloc().buffer(1).writeByte(0));
    streamed.await();
    return fileBytes;
  }

  @Override
  public void close() {
    group.shutdownGracefully().syncUninterruptibly();
  }
}
