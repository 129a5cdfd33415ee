package io.kiln.network.transport;

import io.kiln.api.KilnException;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.codec.WireReader;
import io.kiln.network.codec.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.stream.ChunkedNioFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves one connection for streams, one request after the other. On the connection's own thread;
/// what is asked for is looked up on a virtual one.
final class ContentSender extends SimpleChannelInboundHandler<ByteBuf> {
  /// What an answer begins with.
  static final byte FOUND = 1;

  static final byte REFUSED = 0;

  private static final Logger LOG = LoggerFactory.getLogger(ContentSender.class);
  private static final int CHUNK_BYTES = 256 << 10;

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
    Content content;
    try {
      content = source.open(peer, request);
    } catch (Exception e) {
      LOG.debug("{} of {} is refused", request, peer, e);
      context.executor().execute(() -> refuse(context, e));
      return;
    }
    context.executor().execute(() -> send(context, content));
  }

  private void refuse(ChannelHandlerContext context, Exception why) {
    WireWriter out = new WireWriter(256);
    out.writeFixedInt(0);
    out.writeByte(REFUSED);
    Refusals.write(why, out);
    out.patchFixedInt(0, out.size() - Integer.BYTES);
    answering = false;
    context.writeAndFlush(Unpooled.wrappedBuffer(out.array(), 0, out.size()));
  }

  private void send(ChannelHandlerContext context, Content content) {
    ChannelFuture last;
    switch (content) {
      case Content.OfBytes bytes -> {
        context.write(header(content));
        last = context.write(Unpooled.wrappedBuffer(bytes.parts().toArray(new ByteBuffer[0])));
      }
      case Content.OfFiles files -> {
        List<FileChannel> opened = new ArrayList<>();
        try {
          for (Content.FilePart part : files.parts()) {
            opened.add(open(part)); // all of them before anything is sent: it can be refused
          }
          last = context.write(header(content));
          for (int i = 0; i < opened.size(); i++) {
            last = writePart(context, files.parts().get(i), opened.get(i));
          }
        } catch (IOException e) {
          opened.forEach(ContentSender::close);
          refuseUnreadable(context, e);
          return;
        }
      }
    }
    last.addListener(sent -> ended(context, sent.cause()));
    context.flush();
  }

  private static ByteBuf header(Content content) {
    return Unpooled.buffer(Integer.BYTES + 1 + Long.BYTES)
        .writeInt(1 + Long.BYTES)
        .writeByte(FOUND)
        .writeLong(content.lengthBytes());
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("A file that was read could not be closed", e);
    }
  }

  private static FileChannel open(Content.FilePart part) throws IOException {
    FileChannel channel = FileChannel.open(part.file(), StandardOpenOption.READ);
    if (channel.size() < part.offsetBytes() + part.lengthBytes()) {
      try (channel) {
        throw new IOException(part.file() + " is shorter than it should be");
      }
    }
    return channel;
  }

  private static ChannelFuture writePart(
      ChannelHandlerContext context, Content.FilePart part, FileChannel channel)
      throws IOException {
    if (context.pipeline().get(SslHandler.class) == null) {
      return context.write(new DefaultFileRegion(channel, part.offsetBytes(), part.lengthBytes()));
    }
    return context.write(
        new ChunkedNioFile(channel, part.offsetBytes(), part.lengthBytes(), CHUNK_BYTES));
  }

  private void refuseUnreadable(ChannelHandlerContext context, IOException why) {
    refuse(
        context,
        new KilnException(
            "CONTENT_UNREADABLE",
            KilnException.Kind.EXTERNAL,
            "what was asked for can't be read: " + why.getMessage(),
            why));
  }

  private void ended(ChannelHandlerContext context, Throwable failure) {
    answering = false;
    if (failure != null) {
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
