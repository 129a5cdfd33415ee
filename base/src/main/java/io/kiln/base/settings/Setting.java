package io.kiln.base.settings;

import io.kiln.api.KilnException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A setting that some part of the engine honours: its key, its type, its default and what it
/// means. Immutable.
///
/// @param <T> of its value
public final class Setting<T> {
  /// The code of the error that a value which doesn't parse gets.
  public static final String SETTING_INVALID = "SETTING_INVALID";

  private final String key;
  private final SettingType<T> type;
  private final String defaultText;
  private final List<FormerKey> formerKeys;
  private final Setting<T> general;
  private final String documentation;

  /// An older name of a setting.
  ///
  /// @param key as it was
  /// @param unit what a plain number counted under that name, to be put behind it; may be empty
  public record FormerKey(String key, String unit) {}

  private Setting(
      String key,
      SettingType<T> type,
      String defaultText,
      List<FormerKey> formerKeys,
      Setting<T> general,
      String documentation) {
    this.key = key;
    this.type = type;
    this.defaultText = defaultText;
    this.formerKeys = formerKeys;
    this.general = general;
    this.documentation = documentation;
  }

  /// A setting with a default.
  ///
  /// @param defaultText as a user would write it
  /// @param documentation what it does, one or two sentences
  public static <T> Setting<T> of(
      String key, SettingType<T> type, String defaultText, String documentation) {
    return new Setting<>(key, type, defaultText, List.of(), null, documentation);
  }

  /// A setting that may be absent; see [Settings#find].
  public static <T> Setting<T> optional(String key, SettingType<T> type, String documentation) {
    return new Setting<>(key, type, null, List.of(), null, documentation);
  }

  /// The same setting, found under an older name too.
  ///
  /// @param unit what a plain number counted under that name; may be empty
  public Setting<T> formerly(String formerKey, String unit) {
    List<FormerKey> more = new ArrayList<>(formerKeys);
    more.add(new FormerKey(formerKey, unit));
    return new Setting<>(key, type, defaultText, List.copyOf(more), general, documentation);
  }

  /// The same setting, which has the value of a more general one where it isn't set itself.
  public Setting<T> inheriting(Setting<T> moreGeneral) {
    return new Setting<>(key, type, defaultText, formerKeys, moreGeneral, documentation);
  }

  public String key() {
    return key;
  }

  public SettingType<T> type() {
    return type;
  }

  /// As a user would write it; empty if there is none.
  public Optional<String> defaultText() {
    return Optional.ofNullable(defaultText);
  }

  /// Older names, still understood.
  public List<FormerKey> formerKeys() {
    return formerKeys;
  }

  /// What it inherits from.
  public Optional<Setting<T>> general() {
    return Optional.ofNullable(general);
  }

  public String documentation() {
    return documentation;
  }

  /// @throws KilnException `SETTING_INVALID` if the text is not of the setting's type
  public T parse(String text) {
    return parse(text, key);
  }

  T parse(String text, String usedKey) {
    try {
      return type.parse(text);
    } catch (IllegalArgumentException e) {
      throw new KilnException(
          SETTING_INVALID,
          KilnException.Kind.USER,
          usedKey
              + "="
              + text
              + " can't be used: expected "
              + type.expected()
              + "; for example "
              + usedKey
              + "="
              + defaultText().orElse(type.example()),
          e);
    }
  }

  @Override
  public String toString() {
    return key;
  }
}
