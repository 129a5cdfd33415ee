package io.kiln.network.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.TooLongFrameException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageFrameDecoderTest {
  private static final int LARGE = MessageFrameDecoder.SMALL_BYTES + 1;

  private final FrameRoom room = new FrameRoom(2L * LARGE);
  private final List<Integer> received = new ArrayList<>();

  private EmbeddedChannel connection() {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel
        .pipeline()
        .addLast(
            new MessageFrameDecoder(10 * LARGE, room, new ReadingPause(channel)),
            new SimpleChannelInboundHandler<ByteBuf>() {
              @Override
              protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
                received.add(frame.readableBytes());
              }
            });
    return channel;
  }

  private static ByteBuf announced(int length) {
    return Unpooled.buffer().writeInt(length);
  }

  private static ByteBuf bytes(int length) {
    return Unpooled.wrappedBuffer(new byte[length]);
  }

  @Test
  void largeFramesWaitUntilThereIsRoom() {
    EmbeddedChannel first = connection();
    EmbeddedChannel second = connection();
    EmbeddedChannel third = connection();
    EmbeddedChannel fourth = connection();
    first.writeInbound(announced(LARGE), bytes(10));
    second.writeInbound(announced(LARGE), bytes(10));
    third.writeInbound(announced(LARGE), bytes(10));
    fourth.writeInbound(announced(LARGE), bytes(10));
    assertThat(second.config().isAutoRead()).isTrue();
    assertThat(third.config().isAutoRead()).as("there is room for two").isFalse();

    third.close();
    first.writeInbound(bytes(LARGE - 10));
    assertThat(received).containsExactly(LARGE);
    fourth.runPendingTasks();
    assertThat(fourth.config().isAutoRead()).as("the one before it has gone").isTrue();
    fourth.writeInbound(bytes(LARGE - 10), announced(3), bytes(3));
    second.close(); // in the middle
    first.writeInbound(announced(2 * LARGE), bytes(2 * LARGE));
    assertThat(received).containsExactly(LARGE, LARGE, 3, 2 * LARGE);
  }

  @Test
  void aFrameThatIsHereAlreadyIsHandedOnOnceThereIsRoom() {
    EmbeddedChannel first = connection();
    EmbeddedChannel second = connection();
    first.writeInbound(announced(2 * LARGE));
    second.writeInbound(Unpooled.wrappedBuffer(announced(LARGE), bytes(LARGE), announced(1)));
    assertThat(received).isEmpty();
    first.close();
    second.runPendingTasks();
    second.writeInbound(bytes(1));
    assertThat(received).containsExactly(LARGE, 1);
  }

  @Test
  void whatCanNeverBeHeldIsRefused() {
    EmbeddedChannel channel = connection();
    assertThatThrownBy(() -> channel.writeInbound(announced(3 * LARGE)))
        .isInstanceOf(TooLongFrameException.class)
        .hasMessageContaining("give it a larger heap");
    assertThatThrownBy(() -> connection().writeInbound(announced(11 * LARGE)))
        .hasMessageContaining("length exceeds");
  }
}
