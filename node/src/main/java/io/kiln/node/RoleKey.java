package io.kiln.node;

import io.kiln.network.security.Credentials;
import io.kiln.network.security.SharedKey;
import io.kiln.network.security.SigningKey;
import io.kiln.network.security.Verifier;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a worker, a submitter or a driver of the cluster holds in place of the cluster's secret.
/// Immutable.
///
/// @param key shows that it is in its role
/// @param masterPublicKey by which it believes masters
public record RoleKey(byte[] key, byte[] masterPublicKey) {
  private static final Pattern TEXT = Pattern.compile("([0-9a-f]{64})[:\\s]+([0-9a-f]{2,256})\\s*");

  /// By which it shows itself to masters, and believes masters alone.
  public Credentials credentials() {
    Verifier master = SigningKey.verifier(masterPublicKey);
    return new Credentials(
        new SharedKey(key),
        name ->
            RoleName.of(name).equals(Optional.of(RoleName.MASTER))
                ? Optional.of(master)
                : Optional.empty());
  }

  /// The key alone, as text: requests over HTTP are signed by it.
  public String keyText() {
    return HexFormat.of().formatHex(key);
  }

  /// In one line.
  public String text() {
    return keyText() + ":" + HexFormat.of().formatHex(masterPublicKey);
  }

  /// @param text as [#text] gives it, or the two in two lines
  /// @return empty if it is none
  public static Optional<RoleKey> parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    try {
      byte[] master = HexFormat.of().parseHex(parts.group(2));
      Verifier _ = SigningKey.verifier(master);
      return Optional.of(new RoleKey(HexFormat.of().parseHex(parts.group(1)), master));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return "RoleKey[...]";
  }
}
