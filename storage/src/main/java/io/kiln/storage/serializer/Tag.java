package io.kiln.storage.serializer;

/// The byte before a value: what it is, and so who reads it.
final class Tag {
  static final int NULL = 0;
  // streams
  static final int RESET = 1;
  static final int SAME_PAIR = 2;
  static final int PAIR_SHAPE = 3;
  // simple values
  static final int BOOLEAN = 8;
  static final int BYTE = 9;
  static final int SHORT = 10;
  static final int CHARACTER = 11;
  static final int INTEGER = 12;
  static final int LONG = 13;
  static final int FLOAT = 14;
  static final int DOUBLE = 15;
  static final int STRING = 16;
  static final int BYTE_ARRAY = 17;
  static final int SHORT_ARRAY = 18;
  static final int CHAR_ARRAY = 19;
  static final int INT_ARRAY = 20;
  static final int LONG_ARRAY = 21;
  static final int FLOAT_ARRAY = 22;
  static final int DOUBLE_ARRAY = 23;
  static final int BOOLEAN_ARRAY = 24;
  static final int BIG_INTEGER = 25;
  static final int BIG_DECIMAL = 26;
  static final int UUID = 27;
  static final int INSTANT = 28;
  static final int LOCAL_DATE = 29;
  static final int LOCAL_TIME = 30;
  static final int LOCAL_DATE_TIME = 31;
  static final int DURATION = 32;
  static final int ENUM = 33;
  static final int LAST_SIMPLE = 33;
  // values that hold values
  static final int PAIR = 40;
  static final int OPTIONAL = 41;
  static final int ARRAY_LIST = 42;
  static final int LINKED_LIST = 43;
  static final int ARRAY_DEQUE = 44;
  static final int HASH_SET = 45;
  static final int HASH_MAP = 46;
  static final int TREE_SET = 47;
  static final int TREE_MAP = 48;
  static final int LIST_OF = 49;
  static final int SET_OF = 51;
  static final int MAP_OF = 52;
  static final int OBJECT_ARRAY = 53;
  static final int RECORD = 54;
  static final int SUB_LIST = 55;
  // by others
  static final int KRYO = 60;
  static final int JAVA = 61;

  private Tag() {}
}
