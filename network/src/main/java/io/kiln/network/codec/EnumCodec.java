package io.kiln.network.codec;

/// An enum's constants by their position.
@SuppressWarnings("EnumOrdinal") // the fingerprint holds the constants in their order
record EnumCodec(Object[] constants) implements ValueCodec<Object> {
  @Override
  public void write(Object value, WireWriter out) {
    out.writeUnsigned(((Enum<?>) value).ordinal());
  }

  @Override
  public Object read(WireReader in) {
    long ordinal = in.readUnsigned();
    if (ordinal < 0 || ordinal >= constants.length) {
      throw new WireFormatException(
          constants[0].getClass().getSimpleName()
              + " has no constant "
              + Long.toUnsignedString(ordinal));
    }
    return constants[(int) ordinal];
  }

  @Override
  public int minBytes() {
    return 1;
  }

  @Override
  public String schema() {
    return java.util.Arrays.toString(constants);
  }
}
