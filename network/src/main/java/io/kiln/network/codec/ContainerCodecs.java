package io.kiln.network.codec;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Values of values. What is read can't be changed.
final class ContainerCodecs {
  private ContainerCodecs() {}

  /// Elements that take no byte could be announced by the billion.
  private static int elementBytes(ValueCodec<Object> codec) {
    return Math.max(1, codec.minBytes());
  }

  private static void writeAll(Collection<?> values, ValueCodec<Object> codec, WireWriter out) {
    out.writeUnsigned(values.size());
    for (Object value : values) {
      int before = out.size();
      codec.write(value, out);
      if (out.size() == before) {
        out.writeByte(0);
      }
    }
  }

  private static Object readOne(ValueCodec<Object> codec, WireReader in) {
    int before = in.remaining();
    Object value = codec.read(in);
    if (in.remaining() == before && in.readByte() != 0) {
      throw new WireFormatException("an empty value is followed by something");
    }
    return value;
  }

  record OfOptional(ValueCodec<Object> value) implements ValueCodec<Optional<Object>> {
    @Override
    public void write(Optional<Object> optional, WireWriter out) {
      out.writeBoolean(optional.isPresent());
      if (optional.isPresent()) {
        value.write(optional.get(), out);
      }
    }

    @Override
    public Optional<Object> read(WireReader in) {
      in.enter();
      Optional<Object> read = in.readBoolean() ? Optional.of(value.read(in)) : Optional.empty();
      in.leave();
      return read;
    }

    @Override
    public int minBytes() {
      return 1;
    }

    @Override
    public String schema() {
      return value.schema() + "?";
    }
  }

  record OfList(ValueCodec<Object> element) implements ValueCodec<List<Object>> {
    @Override
    public void write(List<Object> list, WireWriter out) {
      writeAll(list, element, out);
    }

    @Override
    public List<Object> read(WireReader in) {
      in.enter();
      int count = in.readCount(elementBytes(element));
      List<Object> values = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        values.add(readOne(element, in));
      }
      in.leave();
      return Collections.unmodifiableList(values);
    }

    @Override
    public int minBytes() {
      return 1;
    }

    @Override
    public String schema() {
      return "[" + element.schema() + "]";
    }
  }

  record OfSet(ValueCodec<Object> element) implements ValueCodec<Set<Object>> {
    @Override
    public void write(Set<Object> set, WireWriter out) {
      writeAll(set, element, out);
    }

    @Override
    public Set<Object> read(WireReader in) {
      in.enter();
      int count = in.readCount(elementBytes(element));
      Set<Object> values = LinkedHashSet.newLinkedHashSet(count);
      for (int i = 0; i < count; i++) {
        values.add(readOne(element, in));
      }
      in.leave();
      return Collections.unmodifiableSet(values);
    }

    @Override
    public int minBytes() {
      return 1;
    }

    @Override
    public String schema() {
      return "{" + element.schema() + "}";
    }
  }

  record OfMap(ValueCodec<Object> key, ValueCodec<Object> value)
      implements ValueCodec<Map<Object, Object>> {
    @Override
    public void write(Map<Object, Object> map, WireWriter out) {
      out.writeUnsigned(map.size());
      for (Map.Entry<Object, Object> entry : map.entrySet()) {
        key.write(entry.getKey(), out);
        value.write(entry.getValue(), out);
      }
    }

    @Override
    public Map<Object, Object> read(WireReader in) {
      in.enter();
      int count = in.readCount(Math.max(1, key.minBytes() + value.minBytes()));
      Map<Object, Object> values = LinkedHashMap.newLinkedHashMap(count);
      for (int i = 0; i < count; i++) {
        values.put(key.read(in), value.read(in));
      }
      in.leave();
      return Collections.unmodifiableMap(values);
    }

    @Override
    public int minBytes() {
      return 1;
    }

    @Override
    public String schema() {
      return "{" + key.schema() + ":" + value.schema() + "}";
    }
  }
}
