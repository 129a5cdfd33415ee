package io.kiln.base.settings;

/// How many letters must be put in, taken out, changed or swapped with a neighbour to make one word
/// another (optimal string alignment); letters of either case are the same.
final class EditDistance {

  private EditDistance() {}

  /// @param limit larger distances need not be known
  /// @return the distance, or `limit + 1` if it is larger
  static int between(String first, String second, int limit) {
    int rows = first.length();
    int columns = second.length();
    if (Math.abs(rows - columns) > limit) {
      return limit + 1;
    }
    int[] beforePrevious = new int[columns + 1];
    int[] previous = new int[columns + 1];
    int[] current = new int[columns + 1];
    for (int column = 0; column <= columns; column++) {
      previous[column] = column;
    }
    for (int row = 1; row <= rows; row++) {
      current[0] = row;
      int smallest = row;
      for (int column = 1; column <= columns; column++) {
        int distance =
            Math.min(
                Math.min(current[column - 1], previous[column]) + 1,
                previous[column - 1] + (same(first, row - 1, second, column - 1) ? 0 : 1));
        if (row > 1
            && column > 1
            && same(first, row - 1, second, column - 2)
            && same(first, row - 2, second, column - 1)) {
          distance = Math.min(distance, beforePrevious[column - 2] + 1);
        }
        current[column] = distance;
        smallest = Math.min(smallest, distance);
      }
      if (smallest > limit) {
        return limit + 1;
      }
      int[] recycled = beforePrevious;
      beforePrevious = previous;
      previous = current;
      current = recycled;
    }
    return Math.min(previous[columns], limit + 1);
  }

  private static boolean same(String first, int i, String second, int j) {
    return Character.toLowerCase(first.charAt(i)) == Character.toLowerCase(second.charAt(j));
  }
}
