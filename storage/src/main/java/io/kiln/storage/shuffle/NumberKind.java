package io.kiln.storage.shuffle;

/// Kinds of boxed numbers that a table can hold as 64 bits.
enum NumberKind {
  LONG,
  INTEGER,
  DOUBLE;

  /// @return the value's kind, or `null` if it is none
  static NumberKind of(Object value) {
    if (value instanceof Long) {
      return LONG;
    }
    if (value instanceof Integer) {
      return INTEGER;
    }
    return value instanceof Double ? DOUBLE : null;
  }

  boolean isOf(Object value) {
    return switch (this) {
      case LONG -> value instanceof Long;
      case INTEGER -> value instanceof Integer;
      case DOUBLE -> value instanceof Double;
    };
  }

  long bits(Object value) {
    return switch (this) {
      case LONG -> (Long) value;
      case INTEGER -> (Integer) value;
      case DOUBLE -> Double.doubleToRawLongBits((Double) value);
    };
  }

  Object box(long bits) {
    return switch (this) {
      case LONG -> (Object) bits;
      case INTEGER -> (Object) (int) bits;
      case DOUBLE -> (Object) Double.longBitsToDouble(bits);
    };
  }
}
