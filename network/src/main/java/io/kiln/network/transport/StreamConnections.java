package io.kiln.network.transport;

import io.kiln.api.KilnException;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.codec.WireWriter;
import io.kiln.network.transport.Introduction.Purpose;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// The connections by which this process gets contents from others. Each serves one request at a
/// time and is kept for the next; so a stream that isn't read holds up nothing but itself.
/// Thread-safe.
final class StreamConnections {
  private static final int CONNECTING_AT_ONCE = 8;

  private final Connector connector;
  private final RecordCodec codec;
  private final TransportOptions options;
  private final Semaphore connecting = new Semaphore(CONNECTING_AT_ONCE);
  private final Map<NodeAddress, ArrayDeque<Channel>> idle = new ConcurrentHashMap<>();

  StreamConnections(Connector connector, RecordCodec codec, TransportOptions options) {
    this.connector = connector;
    this.codec = codec;
    this.options = options;
  }

  /// @throws KilnException what the peer says instead
  /// @throws IOException if the peer can't be reached or breaks off
  ContentStream open(NodeAddress address, Record request) throws IOException, InterruptedException {
    Channel kept = takeIdle(address);
    if (kept != null) {
      try {
        return request(kept, request);
      } catch (IOException e) {
        // the peer may have closed it while it was idle: a new one decides
      }
    }
    return request(keptOrNew(address), request);
  }

  /// Few connections come about at a time: a hundred handshakes at once would all be late.
  private Channel keptOrNew(NodeAddress address) throws IOException, InterruptedException {
    connecting.acquire();
    try {
      Channel kept = takeIdle(address);
      return kept != null ? kept : connect(address);
    } finally {
      connecting.release();
    }
  }

  private ContentStream request(Channel channel, Record request)
      throws IOException, InterruptedException {
    WireWriter out = new WireWriter(128);
    out.writeFixedInt(0);
    codec.write(request, out);
    out.patchFixedInt(0, out.size() - Integer.BYTES);
    CompletableFuture<ContentStream> answer = new CompletableFuture<>();
    ContentReceiver receiver = channel.pipeline().get(ContentReceiver.class);
    if (receiver == null) {
      throw new IOException("the connection was closed");
    }
    channel
        .eventLoop()
        .execute(
            () -> {
              receiver.expect(answer);
              channel.writeAndFlush(Unpooled.wrappedBuffer(out.array(), 0, out.size()));
            });
    return await(answer, channel);
  }

  private static <T> T await(CompletableFuture<T> future, Channel channel)
      throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case KilnException refusal ->
            throw new KilnException(refusal.code(), refusal.kind(), refusal.getMessage(), refusal);
        case IOException broken -> throw new IOException(broken.getMessage(), broken);
        default -> throw new IllegalStateException(e.getCause());
      }
    } catch (InterruptedException e) {
      if (channel != null) {
        channel.close();
      }
      throw e;
    }
  }

  private Channel takeIdle(NodeAddress address) {
    ArrayDeque<Channel> channels = idle.get(address);
    if (channels == null) {
      return null;
    }
    synchronized (channels) {
      Channel newest = channels.pollLast();
      while (newest != null && !newest.isActive()) {
        newest = channels.pollLast();
      }
      return newest;
    }
  }

  private void keep(NodeAddress address, Channel channel) {
    ArrayDeque<Channel> channels = idle.computeIfAbsent(address, _ -> new ArrayDeque<>());
    synchronized (channels) {
      channels.removeIf(other -> !other.isActive());
      if (channel.isActive()) {
        channels.addLast(channel);
      }
    }
  }

  private Channel connect(NodeAddress address) throws IOException, InterruptedException {
    CompletableFuture<Channel> ready = new CompletableFuture<>();
    connector
        .connect(address.resolved(), Purpose.STREAMS, new Introducing(address, ready))
        .addListener(
            connecting -> {
              if (!connecting.isSuccess()) {
                ready.completeExceptionally(
                    new IOException(
                        address + " can't be reached: " + Causes.line(connecting.cause())));
              }
            });
    return await(ready, null);
  }

  private final class Introducing implements IntroductionHandler.Outcome {
    private final NodeAddress address;
    private final CompletableFuture<Channel> ready;

    Introducing(NodeAddress address, CompletableFuture<Channel> ready) {
      this.address = address;
      this.ready = ready;
    }

    @Override
    public void introduced(ChannelHandlerContext context, Introduction other) {
      ChannelPipeline pipeline = context.pipeline();
      Channel channel = context.channel();
      pipeline.addLast(
          new IdleStateHandler(options.silenceTimeout().toMillis(), 0, 0, TimeUnit.MILLISECONDS),
          new ContentReceiver(channel, idleAgain -> keep(address, idleAgain)));
      pipeline.remove(Connector.INTRODUCTION);
      pipeline.remove(Connector.FRAMES);
      ready.complete(channel);
    }

    @Override
    public void failed(ChannelHandlerContext context, String why) {
      ready.completeExceptionally(
          new IOException("no connection to " + address + " came about: " + why));
    }
  }
}
