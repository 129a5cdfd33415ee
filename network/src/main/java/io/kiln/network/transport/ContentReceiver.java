package io.kiln.network.transport;

import io.kiln.api.KilnException;
import io.kiln.network.codec.WireFormatException;
import io.kiln.network.codec.WireReader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// Reads the answers on one connection for streams. On the connection's own thread.
///
/// ```
///           expect            header: found, of n bytes           n bytes have come
///   Idle ───────────► Asked ──────────────────────────► Filling ───────────────────► Idle
///     ▲                 │ header: refused
///     └─────────────────┘
/// ```
final class ContentReceiver extends ChannelInboundHandlerAdapter {
  private static final int MAX_HEADER_BYTES = 64 << 10;

  private final Channel channel;
  private final Consumer<Channel> whenIdle;
  private CompletableFuture<ContentStream> answer;
  private byte[] header = new byte[Integer.BYTES];
  private int headerBytes;
  private ContentStream filling;
  private long leftToReceive;

  /// @param whenIdle gets the channel when it can serve another request
  ContentReceiver(Channel channel, Consumer<Channel> whenIdle) {
    this.channel = channel;
    this.whenIdle = whenIdle;
  }

  /// A request is about to be sent. On the connection's own thread.
  ///
  /// @param newAnswer completed when the header has come; exceptionally with a [KilnException] if
  /// the request was refused, or an [IOException] if the connection broke
  void expect(CompletableFuture<ContentStream> newAnswer) {
    if (channel.isActive()) {
      answer = newAnswer;
    } else {
      newAnswer.completeExceptionally(new IOException("the connection was closed"));
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      while (bytes.isReadable()) {
        if (filling != null) {
          fill(bytes);
        } else {
          readHeader(bytes);
        }
      }
    } finally {
      bytes.release();
    }
  }

  private void fill(ByteBuf bytes) {
    int count = (int) Math.min(leftToReceive, bytes.readableBytes());
    ContentStream stream = filling;
    leftToReceive -= count;
    if (leftToReceive == 0) {
      filling = null;
    }
    stream.add(bytes.readRetainedSlice(count));
  }

  private void readHeader(ByteBuf bytes) {
    if (answer == null) {
      throw new WireFormatException("bytes came that nobody asked for");
    }
    int count = Math.min(header.length - headerBytes, bytes.readableBytes());
    bytes.readBytes(header, headerBytes, count);
    headerBytes += count;
    if (headerBytes < header.length) {
      return;
    }
    int length = new WireReader(header, 0, Integer.BYTES, 1).readFixedInt();
    if (header.length == Integer.BYTES) {
      if (length < 1 || length > MAX_HEADER_BYTES) {
        throw new WireFormatException("an answer begins with " + length + " bytes of header");
      }
      header = java.util.Arrays.copyOf(header, Integer.BYTES + length);
      return;
    }
    WireReader in = new WireReader(header, Integer.BYTES, length, 1);
    CompletableFuture<ContentStream> waiting = answer;
    answer = null;
    header = new byte[Integer.BYTES];
    headerBytes = 0;
    answered(in, waiting);
  }

  private void answered(WireReader in, CompletableFuture<ContentStream> waiting) {
    if (in.readByte() != ContentSender.FOUND) {
      KilnException refusal = Refusals.read(in);
      whenIdle.accept(channel);
      waiting.completeExceptionally(refusal);
      return;
    }
    long length = in.readFixedLong();
    if (length < 0) {
      throw new WireFormatException("content of " + length + " bytes is announced");
    }
    ContentStream stream = new ContentStream(length, new OfChannel());
    leftToReceive = length;
    filling = length == 0 ? null : stream;
    waiting.complete(stream);
  }

  /// Lets a stream act on its channel.
  private final class OfChannel implements ContentStream.Connection {
    @Override
    public void pause() {
      channel.config().setAutoRead(false);
    }

    @Override
    public void resume() {
      channel.config().setAutoRead(true);
    }

    @Override
    public void done() {
      channel.config().setAutoRead(true);
      whenIdle.accept(channel);
    }

    @Override
    public void abandon() {
      channel.close();
    }
  }

  /// Nothing has come for long: a connection that serves nobody is closed, one whose peer is
  /// waited for is broken. One that waits for its reader is in order.
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof IdleStateEvent && channel.config().isAutoRead()) {
      fail(new IOException("it sent nothing for long"));
      context.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail(new IOException("the other side closed the connection"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    fail(cause instanceof IOException broken ? broken : new IOException(Causes.line(cause), cause));
    context.close();
  }

  private void fail(IOException why) {
    Optional.ofNullable(answer).ifPresent(waiting -> waiting.completeExceptionally(why));
    Optional.ofNullable(filling).ifPresent(stream -> stream.fail(why));
    answer = null;
    filling = null;
  }
}
