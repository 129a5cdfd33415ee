package io.kiln.node;

import io.kiln.api.KilnException;
import io.kiln.base.settings.RestSettings;
import io.kiln.base.settings.Settings;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// The key that all share who submit over HTTP, given by the settings as for Apache Spark's filter.
public final class SubmissionKey {
  private static final int MIN_KEY_BYTES = 32;

  private SubmissionKey() {}

  /// @return empty if there is none
  /// @throws KilnException `SETTING_INVALID`
  public static Optional<byte[]> find(Settings settings) {
    Optional<List<String>> filters = settings.find(RestSettings.FILTERS);
    if (filters.isEmpty()) {
      return Optional.empty();
    }
    for (String filter : filters.get()) {
      if (!filter.equals(RestSettings.JWS_FILTER)) {
        throw invalid(
            RestSettings.FILTERS.key()
                + " names '"
                + filter
                + "': the only filter that is known here is "
                + RestSettings.JWS_FILTER);
      }
    }
    try {
      byte[] key = Base64.getUrlDecoder().decode(settings.find(RestSettings.JWS_KEY).orElse(""));
      if (key.length >= MIN_KEY_BYTES) {
        return Optional.of(key);
      }
    } catch (IllegalArgumentException e) {
      // said below
    }
    throw invalid(
        RestSettings.JWS_KEY.key() + " must be a key of at least 256 bits in Base64 for URLs");
  }

  private static KilnException invalid(String what) {
    return new KilnException("SETTING_INVALID", KilnException.Kind.USER, what);
  }
}
