package io.kiln.network.codec;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/// One of the registered records of an interface.
final class SealedCodec implements ValueCodec<Object> {
  private final Class<?> type;
  private final Map<Class<?>, RecordCodec.Registered> byType;
  private final Map<Integer, ValueCodec<Object>> byId = new HashMap<>();

  SealedCodec(Class<?> type, Map<Class<?>, RecordCodec.Registered> alternatives) {
    this.type = type;
    this.byType = Map.copyOf(alternatives);
    alternatives.values().forEach(each -> byId.put(each.id(), each.codec()));
  }

  @Override
  public void write(Object value, WireWriter out) {
    RecordCodec.Registered registered = byType.get(value.getClass());
    if (registered == null) {
      throw new IllegalArgumentException(
          value.getClass().getName() + " is not a registered " + type.getSimpleName());
    }
    out.writeUnsigned(registered.id());
    registered.codec().write(value, out);
  }

  @Override
  public Object read(WireReader in) {
    long id = in.readUnsigned();
    ValueCodec<Object> codec = id == (int) id ? byId.get((int) id) : null;
    if (codec == null) {
      throw new WireFormatException(
          "message type " + Long.toUnsignedString(id) + " is no " + type.getSimpleName());
    }
    return codec.read(in);
  }

  @Override
  public int minBytes() {
    return 1;
  }

  @Override
  public String schema() {
    return type.getSimpleName() + new TreeSet<>(byId.keySet());
  }
}
