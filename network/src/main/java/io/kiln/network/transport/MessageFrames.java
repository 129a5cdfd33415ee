package io.kiln.network.transport;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Message;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.codec.WireFormatException;
import io.kiln.network.codec.WireReader;
import io.kiln.network.transport.ReadingPause.Reason;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the frames of one link for messages. On the connection's own thread.
///
/// While a peer has asked [#MAX_QUESTIONS] questions that are not answered, nothing more is read
/// from it.
final class MessageFrames extends SimpleChannelInboundHandler<ByteBuf> {
  private static final Logger LOG = LoggerFactory.getLogger(MessageFrames.class);
  private static final int MAX_QUESTIONS = 1024;

  private final Link link;
  private final RecordCodec codec;
  private final Endpoints endpoints;
  private final TransportOptions options;
  private final ReadingPause pause;
  private final AtomicInteger unanswered = new AtomicInteger();

  MessageFrames(
      Link link,
      RecordCodec codec,
      Endpoints endpoints,
      TransportOptions options,
      ReadingPause pause) {
    this.link = link;
    this.codec = codec;
    this.endpoints = endpoints;
    this.options = options;
    this.pause = pause;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
    byte[] bytes = new byte[frame.readableBytes()];
    frame.readBytes(bytes);
    WireReader in = codec.reader(bytes, 0, bytes.length);
    switch (FrameKind.of(in.readByte())) {
      case MESSAGE -> receive(in.readString(), codec.read(in));
      case QUESTION -> question(in.readUnsigned(), in.readString(), codec.read(in));
      case ANSWER -> link.answered(in.readUnsigned(), (Record) codec.read(in));
      case REFUSAL -> link.refused(in.readUnsigned(), in);
      case ALIVE -> {}
    }
    in.requireEnd();
  }

  private void receive(String endpoint, Object received) {
    if (!(received instanceof Message message)) {
      throw new WireFormatException(
          received.getClass().getSimpleName() + " is sent as a message and is none");
    }
    endpoints
        .receiver(endpoint)
        .ifPresentOrElse(
            receiver -> receiver.receive(link, message),
            () ->
                LOG.debug(
                    "Nobody is at {}: dropped {} from {}",
                    endpoint,
                    message.getClass().getSimpleName(),
                    link));
  }

  private void question(long id, String endpoint, Object question) {
    if (unanswered.incrementAndGet() >= MAX_QUESTIONS) {
      pause.begin(Reason.QUESTIONS_WAIT);
    }
    Thread.ofVirtual()
        .name("kiln-answer-" + endpoint)
        .start(
            () -> {
              try {
                answer(id, endpoint, (Record) question);
              } finally {
                if (unanswered.decrementAndGet() == MAX_QUESTIONS / 2) {
                  pause.end(Reason.QUESTIONS_WAIT);
                }
              }
            });
  }

  private void answer(long id, String endpoint, Record question) {
    try {
      Responder responder =
          endpoints
              .responder(endpoint)
              .orElseThrow(
                  () ->
                      new KilnException(
                          "NO_SUCH_ENDPOINT",
                          KilnException.Kind.EXTERNAL,
                          "nobody answers at " + endpoint));
      link.answer(id, responder.answer(link, question));
    } catch (Exception e) {
      LOG.debug("{} could not be answered", question.getClass().getSimpleName(), e);
      refuse(id, e);
    } catch (Throwable e) {
      LOG.warn("{} could not be answered", question.getClass().getSimpleName(), e);
      refuse(id, e);
    }
  }

  /// Where not even that can be said, the connection goes: the asker must not wait.
  private void refuse(long id, Throwable why) {
    try {
      link.refuse(id, why);
    } catch (RuntimeException | Error e) {
      link.close("a question could be neither answered nor refused: " + Causes.line(e));
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
    if (event instanceof IdleStateEvent idle) {
      if (idle.state() == IdleState.WRITER_IDLE) {
        link.sendAlive();
      } else if (!idle.isFirst()) { // after a stall of this process, what has arrived is read first
        link.close("it was silent for " + options.silenceTimeout().toSeconds() + " s");
      }
      return;
    }
    super.userEventTriggered(context, event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    link.close("the other side closed it");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      link.close("it broke: " + cause.getMessage());
    } else {
      LOG.warn("The connection to {} is cut off: {}", link, Causes.line(cause));
      link.close(Causes.line(cause));
    }
  }
}
