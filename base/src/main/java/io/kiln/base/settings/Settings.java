package io.kiln.base.settings;

import io.kiln.api.KilnConf;
import java.util.Map;
import java.util.Optional;

/// An application's settings, read by type. An immutable copy of a [KilnConf]; thread-safe.
///
/// Values are parsed at each call: keep what a hot path needs.
public final class Settings {
  private final Map<String, String> texts;

  private Settings(Map<String, String> texts) {
    this.texts = texts;
  }

  public static Settings of(KilnConf conf) {
    return new Settings(conf.toMap());
  }

  /// The value, or else the default.
  ///
  /// @throws io.kiln.api.KilnException `SETTING_INVALID` if the value doesn't parse
  /// @throws IllegalArgumentException if the setting has no default; ask [#find] then
  public <T> T get(Setting<T> setting) {
    Optional<T> value = find(setting);
    if (value.isEmpty()) {
      throw new IllegalArgumentException(setting.key() + " has no default: use find");
    }
    return value.get();
  }

  /// The value, or else the default if there is one.
  ///
  /// @throws io.kiln.api.KilnException `SETTING_INVALID` if the value doesn't parse
  public <T> Optional<T> find(Setting<T> setting) {
    Optional<T> own = findSet(setting);
    if (own.isPresent()) {
      return own;
    }
    Optional<String> text = setting.defaultText();
    return text.isPresent() ? Optional.of(setting.parse(text.get())) : Optional.empty();
  }

  /// Whether the user gave a value, under whichever of its names.
  public boolean isSet(Setting<?> setting) {
    return findSet(setting).isPresent();
  }

  /// The key to name to people: where the value is, or else where most would set it.
  public String keyOf(Setting<?> setting) {
    return texts.containsKey(setting.key()) || setting.general().isEmpty()
        ? setting.key()
        : keyOf(setting.general().get());
  }

  /// The texts, by key.
  public Map<String, String> texts() {
    return texts;
  }

  private <T> Optional<T> findSet(Setting<T> setting) {
    String text = texts.get(setting.key());
    if (text != null) {
      return Optional.of(setting.parse(text));
    }
    for (Setting.FormerKey former : setting.formerKeys()) {
      String formerText = texts.get(former.key());
      if (formerText != null) {
        return Optional.of(setting.parse(withUnit(formerText, former.unit()), former.key()));
      }
    }
    Optional<Setting<T>> general = setting.general();
    return general.isPresent() ? findSet(general.get()) : Optional.empty();
  }

  private static String withUnit(String text, String unit) {
    String trimmed = text.trim();
    boolean plain = Numerals.digitsAt(trimmed, 0) == trimmed.length();
    return plain ? trimmed + unit : text;
  }
}
