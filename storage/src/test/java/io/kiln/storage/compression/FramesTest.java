package io.kiln.storage.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramesTest {
  private static FrameFormat encrypted(CompressionCodec codec, int keyBytes) {
    return new FrameFormat(codec, FrameKey.of(new byte[keyBytes]));
  }

  /// Half of it can be made smaller.
  private static byte[] content(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    java.util.Arrays.fill(bytes, 0, length / 2, (byte) 7);
    return bytes;
  }

  private static byte[] encode(FrameFormat format, List<byte[]> frames) throws IOException {
    ByteArrayOutputStream stored = new ByteArrayOutputStream();
    FrameEncoder encoder = new FrameEncoder(format);
    for (byte[] frame : frames) {
      encoder.encode(frame, 0, frame.length, stored::write);
    }
    return stored.toByteArray();
  }

  private static List<byte[]> decode(FrameFormat format, byte[] stored) throws IOException {
    List<byte[]> frames = new ArrayList<>();
    try (FrameDecoder decoder = new FrameDecoder(format, new ByteArrayInputStream(stored))) {
      for (int length = decoder.nextLength(); length >= 0; length = decoder.nextLength()) {
        byte[] frame = new byte[length + 3];
        decoder.read(frame, 3);
        frames.add(java.util.Arrays.copyOfRange(frame, 3, frame.length));
      }
    }
    return frames;
  }

  @Test
  void whatIsLongBecomesFramesOfALength() throws IOException {
    byte[] bytes = content(3 * FrameEncoder.LARGEST_FRAME + 7);
    for (FrameFormat format : List.of(FrameFormat.PLAIN, encrypted(CompressionCodec.LZ4, 16))) {
      List<byte[]> frames = decode(format, encode(format, List.of(bytes)));
      assertThat(frames).hasSize(4);
      ByteArrayOutputStream joined = new ByteArrayOutputStream();
      frames.forEach(joined::writeBytes);
      assertThat(joined.toByteArray()).isEqualTo(bytes);
    }
  }

  @Property(tries = 200)
  void framesComeBack(
      @ForAll CompressionCodec codec,
      @ForAll boolean encrypts,
      @ForAll List<@IntRange(min = 1, max = 9_000) Integer> lengths)
      throws IOException {
    FrameFormat format = encrypts ? encrypted(codec, 32) : new FrameFormat(codec, FrameKey.NONE);
    List<byte[]> frames = lengths.stream().map(FramesTest::content).toList();
    assertThat(decode(format, encode(format, frames))).containsExactlyElementsOf(frames);
  }

  /// Whatever bit of an encrypted frame is changed, in its header, its nonce, its bytes or its tag:
  /// nothing of it is given out.
  @ParameterizedTest
  @ValueSource(ints = {16, 24, 32})
  void aChangedFrameIsRefused(int keyBytes) throws IOException {
    FrameFormat format = encrypted(CompressionCodec.NONE, keyBytes);
    byte[] stored = encode(format, List.of(content(40)));
    assertThat(stored).hasSize(8 + 28 + 40);
    for (int i = 0; i < stored.length * 8; i++) {
      byte[] changed = stored.clone();
      changed[i / 8] ^= (byte) (1 << i % 8);
      assertThatThrownBy(() -> decode(format, changed)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void anotherKeyReadsNothing() throws IOException {
    byte[] stored = encode(encrypted(CompressionCodec.LZ4, 16), List.of(content(4_000)));
    FrameFormat other = new FrameFormat(CompressionCodec.LZ4, FrameKey.of(content(16)));
    assertThatThrownBy(() -> decode(other, stored))
        .isInstanceOf(IOException.class)
        .hasMessage("the stored bytes were changed, or encrypted with another key");
    assertThat(other.toString()).doesNotContain("7, 7").contains("a key of 128 bits");
  }

  @Test
  void noTwoFramesHaveTheSameNonce() throws IOException {
    FrameFormat format = encrypted(CompressionCodec.NONE, 16);
    Set<String> nonces = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      byte[] stored = encode(format, List.of(new byte[1]));
      nonces.add(java.util.HexFormat.of().formatHex(stored, 8, 20));
    }
    assertThat(nonces).hasSize(1_000);
  }

  @Test
  void keysOfOtherLengthsAreRefused() {
    assertThatThrownBy(() -> FrameKey.of(new byte[17]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not 17");
  }
}
