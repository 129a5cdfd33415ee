package io.kiln.network.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.timeout.IdleStateEvent;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessageFramesTest {

  /// After a stall of this process, the silence is over before anything was read: what has arrived
  /// meanwhile comes next.
  @Test
  void onlyASilenceThatLastsClosesTheLink() {
    Ground.Heard heard = new Ground.Heard();
    TransportOptions options = Ground.options("driver", Optional.empty());
    Link link = new Link(new NodeAddress("h", 1), Ground.CODEC, options, heard);
    EmbeddedChannel channel = new EmbeddedChannel();
    channel
        .pipeline()
        .addLast(
            new MessageFrames(
                link, Ground.CODEC, new Endpoints(), options, new ReadingPause(channel)));

    channel.pipeline().fireUserEventTriggered(IdleStateEvent.FIRST_READER_IDLE_STATE_EVENT);
    assertThat(link.isClosed()).isFalse();
    channel.pipeline().fireUserEventTriggered(IdleStateEvent.READER_IDLE_STATE_EVENT);
    assertThat(link.isClosed()).isTrue();
    assertThat(heard.closed).singleElement().asString().contains("it was silent for");
  }
}
