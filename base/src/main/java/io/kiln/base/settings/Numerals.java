package io.kiln.base.settings;

/// Reads the number in front of a unit.
final class Numerals {

  private Numerals() {}

  /// How many ASCII digits stand in `text` from `start` on.
  static int digitsAt(String text, int start) {
    int end = start;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end - start;
  }
}
