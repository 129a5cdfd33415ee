package io.kiln.bench.work;

/// The word count's user function, one for all engines.
public final class Words {
  private Words() {}

  /// The words of a line, cut at single spaces.
  @SuppressWarnings("StringSplitter") // What programs write; lines here end in no space.
  public static String[] of(String line) {
    return line.split(" ");
  }
}
