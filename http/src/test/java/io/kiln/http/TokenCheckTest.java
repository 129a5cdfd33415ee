package io.kiln.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.http.SignedClaims.Refused;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenCheckTest {
  private static final SignedClaims KEY = new SignedClaims("sesame".getBytes(UTF_8), "the secret");
  private static final String PATH = "/v1/submissions/killall";
  private static final byte[] BODY = {1, 2};

  /// Set by the test.
  private static final class OwnClock extends Clock {
    Instant now = Instant.parse("2026-01-31T12:00:00Z");

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private final OwnClock clock = new OwnClock();
  private final TokenCheck check =
      new TokenCheck(
          KEY, new HostNames(List.of("master-1"), List.of("proxy.example:80")), 6066, clock);

  private RequestToken token(String audience) {
    return RequestToken.of(audience, "POST", PATH, BODY, clock.now);
  }

  private RequestToken require(String token) throws Refused {
    return check.require(token, new RequestHead("POST", PATH, _ -> Optional.empty()));
  }

  private void use(String token) throws Refused {
    check.use(require(token), BODY);
  }

  @Test
  void itLivesForHalfAMinute() throws Exception {
    String token = token("master-1:6066").sign(KEY);
    clock.now = clock.now.plusSeconds(29);
    assertThat(require(token).audience()).isEqualTo("master-1:6066");
    clock.now = clock.now.plusSeconds(1);
    assertThatThrownBy(() -> require(token)).hasMessageContaining("has expired");
    clock.now = clock.now.minus(Duration.ofSeconds(61));
    assertThatThrownBy(() -> require(token)).hasMessageContaining("more than 30 s");
  }

  @Test
  void itIsForThisServer() throws Exception {
    for (String own :
        List.of(
            "master-1:6066",
            "MASTER-1:6066",
            "localhost:6066",
            "127.0.0.1:6066",
            "proxy.example:80")) {
      use(token(own).sign(KEY));
    }
    for (String other :
        List.of("master-1:6067", "master-2:6066", "192.0.2.1:6066", "proxy.example:81", "x")) {
      assertThatThrownBy(() -> use(token(other).sign(KEY)))
          .as(other)
          .hasMessageContaining("for another server");
    }
  }

  @Test
  void whatIsRememberedOfUsedTokensIsBounded() throws Exception {
    String first = token("master-1:6066").sign(KEY);
    use(first);
    assertThatThrownBy(() -> use(first)).hasMessageContaining("used before");
    for (int i = 1; i < TokenCheck.MAX_USED; i++) {
      check.use(token("master-1:6066"), BODY);
    }
    assertThatThrownBy(() -> use(token("master-1:6066").sign(KEY)))
        .hasMessageContaining("too many tokens");
    clock.now = clock.now.plusSeconds(31);
    use(token("master-1:6066").sign(KEY));
  }
}
