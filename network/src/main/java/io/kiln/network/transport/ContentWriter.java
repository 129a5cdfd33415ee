package io.kiln.network.transport;

import io.kiln.api.KilnException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.DefaultFileRegion;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/// Sends one content, no faster than the peer takes it: little waits for the connection, so nothing
/// is encrypted that can't go out soon. Used by one virtual thread, which waits meanwhile.
final class ContentWriter {
  private static final int PIECE_BYTES = 256 << 10;
  private static final int UNSENT_PIECES = 4;

  private final ChannelHandlerContext context;
  private final Content content;
  private final Consumer<Throwable> whenEnded;
  private final boolean encrypted;
  private final Semaphore mayBeUnsent = new Semaphore(UNSENT_PIECES);
  private long leftBytes;
  private volatile Throwable failure;

  /// @param whenEnded gets `null` on the connection's own thread as soon as all was sent, before
  /// the peer can ask for more; else why that can't be
  ContentWriter(ChannelHandlerContext context, Content content, Consumer<Throwable> whenEnded) {
    this.context = context;
    this.content = content;
    this.whenEnded = whenEnded;
    this.encrypted = context.pipeline().get(SslHandler.class) != null;
    this.leftBytes = content.lengthBytes();
  }

  /// Returns when all was sent or nothing more will be.
  ///
  /// @throws KilnException `CONTENT_UNREADABLE`; then nothing was sent
  void run() {
    Queue<FileChannel> opened = new ArrayDeque<>();
    boolean begun = false;
    try {
      if (content instanceof Content.OfFiles files) {
        openAll(files.parts(), opened);
      }
      begun = true;
      writeHeader();
      send(content, opened);
      if (leftBytes != 0) {
        throw new IOException(leftBytes + " bytes more were announced than there are");
      }
      mayBeUnsent.acquireUninterruptibly(UNSENT_PIECES);
      requirePeer();
    } catch (Throwable e) { // memory may be short too: the peer must not wait for ever
      if (!begun) {
        throw unreadable(e);
      }
      whenEnded.accept(e);
    } finally {
      opened.forEach(ContentWriter::close);
      close(content);
    }
  }

  private void writeHeader() {
    ByteBuf header =
        Unpooled.buffer(Integer.BYTES + 1 + Long.BYTES)
            .writeInt(1 + Long.BYTES)
            .writeByte(ContentSender.FOUND)
            .writeLong(leftBytes);
    boolean isAll = leftBytes == 0;
    boolean flush = isAll || content instanceof Content.OfPieces; // the first piece may take long
    context
        .executor()
        .execute(
            () -> {
              ChannelFuture written = flush ? context.writeAndFlush(header) : context.write(header);
              if (isAll) {
                written.addListener(sent -> whenEnded.accept(sent.cause()));
              }
            });
  }

  /// @param opened the files of this content, as far as they are open
  private void send(Content part, Queue<FileChannel> opened) throws IOException {
    switch (part) {
      case Content.OfBytes bytes -> sendBytes(bytes.parts());
      case Content.OfFiles files -> {
        openAll(files.parts().subList(opened.size(), files.parts().size()), opened);
        for (Content.FilePart file : files.parts()) {
          sendFile(file, opened.remove());
        }
      }
      case Content.OfPieces(long length, Content.Pieces pieces) -> {
        for (long left = length; left > 0; ) {
          Content piece = pieces.next();
          left -= piece.lengthBytes();
          Queue<FileChannel> channels = new ArrayDeque<>();
          try {
            send(piece, channels);
          } finally {
            channels.forEach(ContentWriter::close);
            close(piece);
          }
        }
      }
    }
  }

  private void sendBytes(List<ByteBuffer> parts) throws IOException {
    List<ByteBuffer> gathered = new ArrayList<>();
    int bytes = 0;
    for (ByteBuffer part : parts) {
      for (int at = 0; at < part.remaining(); ) {
        int length = Math.min(PIECE_BYTES - bytes, part.remaining() - at);
        gathered.add(part.slice(part.position() + at, length));
        at += length;
        bytes += length;
        if (bytes == PIECE_BYTES) {
          write(Unpooled.wrappedBuffer(gathered.toArray(new ByteBuffer[0])), bytes);
          gathered.clear();
          bytes = 0;
        }
      }
    }
    if (bytes > 0) {
      write(Unpooled.wrappedBuffer(gathered.toArray(new ByteBuffer[0])), bytes);
    }
  }

  private void sendFile(Content.FilePart part, FileChannel channel) throws IOException {
    if (part.lengthBytes() == 0) {
      close(channel);
    } else if (!encrypted) {
      write(
          new DefaultFileRegion(channel, part.offsetBytes(), part.lengthBytes()),
          part.lengthBytes());
    } else {
      try (channel) {
        for (long at = 0; at < part.lengthBytes(); ) {
          int length = (int) Math.min(PIECE_BYTES, part.lengthBytes() - at);
          write(read(channel, part.offsetBytes() + at, length), length);
          at += length;
        }
      }
    }
  }

  private ByteBuf read(FileChannel channel, long offset, int length) throws IOException {
    ByteBuf bytes = context.alloc().buffer(length);
    try {
      while (bytes.readableBytes() < length) {
        int at = bytes.readableBytes();
        if (bytes.writeBytes(channel, offset + at, length - at) < 0) {
          throw new IOException("a file became shorter while it was read");
        }
      }
      return bytes;
    } catch (IOException | RuntimeException e) {
      bytes.release();
      throw e;
    }
  }

  private void write(Object message, long bytes) throws IOException {
    mayBeUnsent.acquireUninterruptibly();
    leftBytes -= bytes;
    try {
      requirePeer();
      if (leftBytes < 0) {
        throw new IOException("there are more bytes than were announced");
      }
      boolean last = leftBytes == 0;
      context
          .executor()
          .execute(
              () ->
                  context.writeAndFlush(message).addListener(sent -> written(sent.cause(), last)));
    } catch (IOException | RejectedExecutionException e) { // rejected: the transport is closed
      ReferenceCountUtil.release(message);
      throw e;
    }
  }

  /// On the connection's own thread.
  private void written(Throwable cause, boolean last) {
    if (cause != null) {
      failure = cause;
    } else if (last) {
      whenEnded.accept(null);
    }
    mayBeUnsent.release();
  }

  private void requirePeer() throws IOException {
    Throwable cause = failure;
    if (cause != null) {
      throw new IOException("the peer doesn't take the rest", cause);
    }
  }

  /// Before anything is sent, so that it can be refused.
  private static void openAll(List<Content.FilePart> parts, Queue<FileChannel> opened)
      throws IOException {
    for (Content.FilePart part : parts) {
      FileChannel channel = FileChannel.open(part.file(), StandardOpenOption.READ);
      opened.add(channel);
      if (channel.size() < part.offsetBytes() + part.lengthBytes()) {
        throw new IOException(part.file() + " is shorter than it should be");
      }
    }
  }

  private static KilnException unreadable(Throwable why) {
    return new KilnException(
        "CONTENT_UNREADABLE",
        KilnException.Kind.EXTERNAL,
        "what was asked for can't be read: " + why.getMessage(),
        why);
  }

  private static void close(Content content) {
    if (content instanceof Content.OfPieces pieces) {
      pieces.pieces().close();
    }
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      ContentSender.LOG.debug("A file that was read could not be closed", e);
    }
  }
}
