package io.kiln.network.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.TooLongFrameException;

/// Cuts what a believed peer sends into frames. One that is large is received only when there is
/// room for it; until then nothing is read. On the connection's own thread.
final class MessageFrameDecoder extends LengthFieldBasedFrameDecoder {
  /// What each connection may hold anyway.
  static final int SMALL_BYTES = 64 << 10;

  private final int maxBytes;
  private final FrameRoom room;
  private final ReadingPause pause;
  private int taken;
  private boolean handedOn;
  private boolean waits;
  private Runnable granted = () -> {};

  MessageFrameDecoder(int maxBytes, FrameRoom room, ReadingPause pause) {
    super(maxBytes + Integer.BYTES, 0, Integer.BYTES, 0, Integer.BYTES);
    this.maxBytes = maxBytes;
    this.room = room;
    this.pause = pause;
  }

  @Override
  protected Object decode(ChannelHandlerContext context, ByteBuf in) throws Exception {
    giveBackIfHandedOn();
    if (waits || (taken == 0 && in.readableBytes() >= Integer.BYTES && !takesRoom(context, in))) {
      return null;
    }
    Object frame = super.decode(context, in);
    handedOn = frame != null;
    return frame;
  }

  /// @return false if it has to wait for it
  private boolean takesRoom(ChannelHandlerContext context, ByteBuf in) {
    long length = in.getUnsignedInt(in.readerIndex());
    if (length <= SMALL_BYTES || length > maxBytes) { // which is refused with its length
      return true;
    }
    if (length > room.capacity()) {
      throw new TooLongFrameException(
          "it announces a message of "
              + length
              + " bytes, and this process has room for "
              + room.capacity()
              + ": give it a larger heap");
    }
    int bytes = (int) length;
    granted = () -> context.executor().execute(() -> goOn(context, bytes));
    if (room.take(bytes, granted)) {
      taken = bytes;
      return true;
    }
    waits = true;
    pause.begin(ReadingPause.Reason.NO_ROOM);
    return false;
  }

  private void goOn(ChannelHandlerContext context, int bytes) {
    if (context.isRemoved()) {
      room.giveBack(bytes);
      return;
    }
    taken = bytes;
    waits = false;
    pause.end(ReadingPause.Reason.NO_ROOM);
    try {
      channelRead(context, Unpooled.EMPTY_BUFFER); // it may be here already
      channelReadComplete(context);
    } catch (Exception e) {
      context.fireExceptionCaught(e);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) throws Exception {
    super.channelReadComplete(context);
    giveBackIfHandedOn();
  }

  private void giveBackIfHandedOn() {
    if (handedOn) {
      handedOn = false;
      giveBack();
    }
  }

  private void giveBack() {
    int bytes = taken;
    taken = 0;
    if (bytes > 0) {
      room.giveBack(bytes);
    }
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext context) throws Exception {
    super.handlerRemoved0(context);
    if (waits) {
      waits = false;
      var _ = room.cancel(granted);
    }
    giveBack();
  }
}
