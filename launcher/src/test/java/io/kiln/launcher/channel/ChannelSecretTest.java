package io.kiln.launcher.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelSecretTest {

  private static final ChannelSecret SECRET = ChannelSecret.parse("0b".repeat(32));

  /// Reckoned by OpenSSL: `printf 'Hi There' | openssl dgst -sha256 -mac HMAC -macopt
  /// hexkey:0b…0b`.
  @Test
  void aProofIsTheHmacOfItsParts() {
    byte[] proof = SECRET.proof(bytes("Hi "), bytes("There"));

    assertThat(HexFormat.of().formatHex(proof))
        .isEqualTo("198a607eb44bfbc69903a0f1cf2bbdc5ba0aa3f3d9ae3c1c7a3b1696a0b68cf7");
    assertThat(SECRET.isProof(proof, bytes("Hi There"))).isTrue();
    assertThat(SECRET.isProof(proof, bytes("Hi there"))).isFalse();
    assertThat(ChannelSecret.random().isProof(proof, bytes("Hi There"))).isFalse();
  }

  @Test
  void eachIsAnotherAndShowsOnlyWhenRevealed() {
    ChannelSecret secret = ChannelSecret.random();

    assertThat(secret.reveal()).hasSize(64).isNotEqualTo(ChannelSecret.random().reveal());
    assertThat(secret).hasToString("(secret)");
    byte[] part = {1};
    assertThat(ChannelSecret.parse(secret.reveal()).proof(part)).isEqualTo(secret.proof(part));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0b", "zz"})
  void whatIsNoSecretIsRefusedAndNotRepeated(String text) {
    String wrong = text + "x".repeat(text.equals("zz") ? 62 : 0);

    assertThatThrownBy(() -> ChannelSecret.parse(wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("64 hexadecimal digits")
        .hasMessageNotContaining("zz");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
