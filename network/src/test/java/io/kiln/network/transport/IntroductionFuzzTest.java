package io.kiln.network.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.network.codec.WireFormatException;
import io.kiln.network.codec.WireReader;
import io.kiln.network.codec.WireWriter;
import io.kiln.network.fuzz.Fuzzing;
import io.kiln.network.fuzz.Mutations;
import io.kiln.network.security.Proof.Side;
import io.kiln.network.transport.Introduction.Purpose;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What strangers can send, damaged.
class IntroductionFuzzTest {
  private static final TransportOptions OPTIONS = Ground.options("driver", Optional.empty());

  private static Stream<Introduction> introductions() {
    return Stream.of("executor-1", "", "x".repeat(400))
        .flatMap(
            process ->
                Stream.of(1, 2, Integer.MAX_VALUE)
                    .flatMap(
                        version ->
                            Arrays.stream(Purpose.values())
                                .map(
                                    purpose ->
                                        new Introduction(
                                            Introduction.NO_PROOF,
                                            version,
                                            Ground.CODEC.fingerprint(),
                                            purpose,
                                            new Peer(process, -1, "0.1")))));
  }

  @Test
  void damagedIntroductionsAreRefusedOrReadBack() {
    Fuzzing fuzzing = new Fuzzing(Duration.ofSeconds(5));
    List<byte[]> valid = introductions().map(Introduction::toBytes).toList();
    Mutations mutations = new Mutations(fuzzing.random());
    long accepted =
        fuzzing.run(
            () -> mutations.of(valid.get(fuzzing.random().nextInt(valid.size())), valid),
            Introduction::of,
            value -> {
              Introduction read = (Introduction) value;
              if (read.protocolVersion() == Introduction.PROTOCOL_VERSION) {
                assertThat(Introduction.of(read.toBytes()))
                    .usingRecursiveComparison()
                    .isEqualTo(read);
              }
            });
    assertThat(accepted).isPositive();
  }

  @Test
  void damagedRefusalsAreRefusedOrRead() {
    Fuzzing fuzzing = new Fuzzing(Duration.ofSeconds(3));
    List<byte[]> valid =
        Stream.of("", "why", "x".repeat(5000))
            .map(
                text -> {
                  WireWriter out = new WireWriter(64);
                  Refusals.write(new IllegalStateException(text), out);
                  return out.toByteArray();
                })
            .toList();
    Mutations mutations = new Mutations(fuzzing.random());
    long accepted =
        fuzzing.run(
            () -> mutations.of(valid.get(fuzzing.random().nextInt(valid.size())), valid),
            bytes -> Refusals.read(new WireReader(bytes, 0, bytes.length, 1)),
            value -> {});
    assertThat(accepted).isPositive();
  }

  /// A server's side of a connection, to which damaged frames come in pieces.
  private static final class ServerSide implements IntroductionHandler.Outcome {
    private final EmbeddedChannel channel =
        new EmbeddedChannel(
            Connector.frames(Introduction.MAX_BYTES),
            new IntroductionHandler(
                Side.SERVER, OPTIONS, Ground.CODEC.fingerprint(), Purpose.MESSAGES, this));
    private Introduction introduced;
    private String failure;

    @Override
    public void introduced(ChannelHandlerContext context, Introduction other) {
      introduced = other;
    }

    @Override
    public void failed(ChannelHandlerContext context, String why) {
      assertThat(failure).as("it fails once").isNull();
      failure = why;
    }

    /// @return who has introduced itself
    Introduction take(byte[] bytes, int pieceBytes) {
      for (int at = 0; at < bytes.length && channel.isOpen(); at += pieceBytes) {
        int length = Math.min(pieceBytes, bytes.length - at);
        channel.writeInbound(Unpooled.copiedBuffer(bytes, at, length));
      }
      assertThat(channel.isOpen()).as(failure).isEqualTo(failure == null);
      channel.finishAndReleaseAll(); // throws what no handler has caught
      if (introduced == null) {
        assertThat(failure).isNotEmpty().hasLineCount(1);
        throw new WireFormatException(failure);
      }
      return introduced;
    }
  }

  @Test
  void damagedFramesEndInAnIntroductionOrOneReason() {
    Fuzzing fuzzing = new Fuzzing(Duration.ofSeconds(10));
    List<byte[]> valid =
        introductions()
            .map(Introduction::toBytes)
            .map(bytes -> Unpooled.buffer().writeInt(bytes.length).writeBytes(bytes).array())
            .toList();
    Mutations mutations = new Mutations(fuzzing.random());
    long accepted =
        fuzzing.run(
            () -> mutations.of(valid.get(fuzzing.random().nextInt(valid.size())), valid),
            bytes -> new ServerSide().take(bytes, 1 + (Arrays.hashCode(bytes) & 0x3F)),
            value ->
                assertThat(((Introduction) value).registry())
                    .isEqualTo(Ground.CODEC.fingerprint()));
    assertThat(accepted).isPositive();
  }
}
