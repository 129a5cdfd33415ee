package io.kiln.network.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// Damages bytes in the ways that a format of lengths, numbers and nested values minds most. Used
/// by one thread.
public final class Mutations {
  private static final byte[] REMARKABLE = {0, 1, 2, '\n', 31, 32, 0x7F, (byte) 0x80, (byte) 0xFF};

  /// Numbers as the codec writes them: the largest of 32 and of 64 bits, and one that never ends.
  private static final byte[][] NUMBERS = {
    {-1, -1, -1, -1, 15},
    {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1},
    {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
    {(byte) 0x80, (byte) 0x80, (byte) 0x80, 4}
  };

  private final RandomGenerator random;

  public Mutations(RandomGenerator random) {
    this.random = random;
  }

  /// @param others of which parts may be put in
  public byte[] of(byte[] original, List<byte[]> others) {
    byte[] bytes = original;
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      bytes = once(bytes, others);
    }
    return bytes;
  }

  private byte[] once(byte[] bytes, List<byte[]> others) {
    int at = random.nextInt(bytes.length + 1);
    int to = at + random.nextInt(Math.min(17, bytes.length - at + 1));
    return switch (random.nextInt(8)) {
      case 0 -> flipped(bytes);
      case 1 -> replaced(bytes, at, at, new byte[] {oneOf(REMARKABLE)});
      case 2 -> replaced(bytes, at, Math.min(bytes.length, at + 1), NUMBERS[random.nextInt(4)]);
      case 3 -> Arrays.copyOf(bytes, at);
      case 4 -> replaced(bytes, at, to, new byte[0]);
      case 5 -> replaced(bytes, at, at, Arrays.copyOfRange(bytes, at, to));
      case 6 -> replaced(bytes, at, to, part(others.get(random.nextInt(others.size()))));
      default -> repeated(bytes, at, to);
    };
  }

  private byte oneOf(byte[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  private byte[] flipped(byte[] bytes) {
    byte[] flipped = bytes.clone();
    if (flipped.length > 0) {
      flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return flipped;
  }

  private byte[] part(byte[] other) {
    int from = random.nextInt(other.length + 1);
    return Arrays.copyOfRange(other, from, from + random.nextInt(other.length - from + 1));
  }

  /// So that depth and counts grow.
  private byte[] repeated(byte[] bytes, int from, int to) {
    byte[] part = Arrays.copyOfRange(bytes, from, to);
    byte[] many = new byte[part.length * random.nextInt(1, 200)];
    for (int i = 0; i < many.length; i++) {
      many[i] = part[i % part.length];
    }
    return replaced(bytes, from, to, many);
  }

  private static byte[] replaced(byte[] bytes, int from, int to, byte[] by) {
    byte[] result = Arrays.copyOf(bytes, from + by.length + bytes.length - to);
    System.arraycopy(by, 0, result, from, by.length);
    System.arraycopy(bytes, to, result, from + by.length, bytes.length - to);
    return result;
  }
}
