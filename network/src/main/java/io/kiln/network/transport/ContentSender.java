package io.kiln.network.transport;

import io.kiln.network.codec.RecordCodec;
import io.kiln.network.codec.WireReader;
import io.kiln.network.codec.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves one connection for streams, one request after the other. On the connection's own thread;
/// what is asked for is looked up, and its pieces are made, on a virtual one.
final class ContentSender extends SimpleChannelInboundHandler<ByteBuf> {
  /// What an answer begins with.
  static final byte FOUND = 1;

  static final byte REFUSED = 0;

  static final Logger LOG = LoggerFactory.getLogger(ContentSender.class);

  private final Peer peer;
  private final RecordCodec codec;
  private final ContentSource source;
  private boolean answering;

  ContentSender(Peer peer, RecordCodec codec, ContentSource source) {
    this.peer = peer;
    this.codec = codec;
    this.source = source;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
    if (answering) {
      throw new IllegalStateException("it asks again before it has its answer");
    }
    byte[] bytes = new byte[frame.readableBytes()];
    frame.readBytes(bytes);
    WireReader in = codec.reader(bytes, 0, bytes.length);
    Record request = (Record) codec.read(in);
    in.requireEnd();
    answering = true;
    Thread.ofVirtual().name("kiln-content").start(() -> answer(context, request));
  }

  private void answer(ChannelHandlerContext context, Record request) {
    try {
      Content content = source.open(peer, request);
      new ContentWriter(context, content, failure -> ended(context, failure)).run();
    } catch (Throwable e) { // the asker must not wait
      LOG.debug("{} of {} is refused", request, peer, e);
      try {
        context.executor().execute(() -> refuse(context, e));
      } catch (RejectedExecutionException closed) {
        LOG.debug("The transport is closed: {} hears nothing more", peer);
      }
    }
  }

  private void refuse(ChannelHandlerContext context, Throwable why) {
    WireWriter out = new WireWriter(256);
    out.writeFixedInt(0);
    out.writeByte(REFUSED);
    Refusals.write(why, out);
    out.patchFixedInt(0, out.size() - Integer.BYTES);
    answering = false;
    context.writeAndFlush(Unpooled.wrappedBuffer(out.array(), 0, out.size()));
  }

  /// All was sent, on the connection's own thread; or nothing more will be, on any.
  private void ended(ChannelHandlerContext context, Throwable failure) {
    if (failure == null) {
      answering = false;
    } else {
      LOG.debug("Sending to {} ended early", peer, failure);
      context.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("The connection for streams to {} is cut off: {}", peer, Causes.line(cause));
    context.close();
  }
}
