package io.kiln.launcher;

/// The size of a heap, as a setting spells it and as a JVM does.
public final class MemorySize {

  private MemorySize() {}

  /// @param text digits and a unit: `b`, `k`, `m`, `g`, `t`, also `kb` and so on; without a unit it
  ///     counts mebibytes
  /// @param what the option or the setting, for the message
  /// @return digits and one letter, as after `-Xmx`
  /// @throws Refusal if it isn't a size above zero
  public static String forJvm(String text, String what) {
    String size = text.trim();
    int digits = 0;
    boolean positive = false;
    while (digits < size.length() && size.charAt(digits) >= '0' && size.charAt(digits) <= '9') {
      positive |= size.charAt(digits) != '0';
      digits++;
    }
    String unit =
        switch (size.substring(digits)) {
          case "", "m", "M", "mb", "MB" -> "m";
          case "b", "B" -> "";
          case "k", "K", "kb", "KB" -> "k";
          case "g", "G", "gb", "GB" -> "g";
          case "t", "T", "tb", "TB" -> "t";
          default -> null;
        };
    if (unit == null || !positive || digits > 12) {
      throw new Refusal(
          what + " must be a size above zero such as 512m or 4g, but is '" + text + "'");
    }
    return size.substring(0, digits) + unit;
  }
}
