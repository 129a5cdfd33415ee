package io.kiln.storage.serializer;

import com.esotericsoftware.kryo.KryoException;
import io.kiln.api.Pair;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Writes a stream of records. Used by one thread.
///
/// The stream remembers the classes of the last pair's key and value, so that one byte stands
/// before a pair of the same classes; a class is named in full once a stream. Streams may be
/// joined: each begins with a mark at which the reader forgets.
public final class ObjectWriter {
  /// Deeper values are left to those who can follow cycles.
  private static final int MAX_DEPTH = 64;
  private static final Class<?> LIST_OF_TWO = List.of(1, 2).getClass();

  private final ByteWriter out;
  private final ObjectSerializer serializer;
  private final SimpleWriter simple;
  private final Map<Class<?>, Integer> classIds = new HashMap<>(4);
  private final List<Class<?>> namedClasses = new ArrayList<>(4);
  private Class<?> keyClass = Void.class;
  private Class<?> valueClass = Void.class;
  private int keyTag;
  private int valueTag;
  private boolean started;
  private Object[] path = new Object[0];
  private int depth;

  public ObjectWriter(ByteWriter out, ObjectSerializer serializer) {
    this.out = out;
    this.serializer = serializer;
    this.simple = new SimpleWriter(out);
  }

  /// @throws io.kiln.api.KilnException with code `NOT_SERIALIZABLE`
  /// @throws IOException from the drain
  public void write(Object record) throws IOException {
    if (record instanceof Pair<?, ?> pair) {
      writePair(pair.key(), pair.value(), record);
    } else {
      start();
      int mark = out.position();
      writeWhole(record, mark);
      out.recordDone();
    }
  }

  /// Same as a pair of both, without making one.
  public void writePair(Object key, Object value) throws IOException {
    writePair(key, value, null);
  }

  private void start() {
    if (!started) {
      out.writeByte(Tag.RESET);
      started = true;
    }
  }

  private void writePair(Object key, Object value, Object pair) throws IOException {
    start();
    int mark = out.position();
    if (serializer.isJavaOnly()) {
      writeByJava(pair == null ? new Pair<>(key, value) : pair, mark);
      out.recordDone();
      return;
    }
    Class<?> newKeyClass = key == null ? null : key.getClass();
    Class<?> newValueClass = value == null ? null : value.getClass();
    if (newKeyClass == keyClass && newValueClass == valueClass) {
      out.writeByte(Tag.SAME_PAIR);
    } else {
      keyTag = newKeyClass == null ? Tag.NULL : serializer.plan(newKeyClass).tag();
      valueTag = newValueClass == null ? Tag.NULL : serializer.plan(newValueClass).tag();
      keyClass = newKeyClass;
      valueClass = newValueClass;
      out.writeByte(Tag.PAIR_SHAPE);
      out.writeByte(keyTag);
      out.writeByte(valueTag);
    }
    if (keyTag < Tag.ENUM && valueTag < Tag.ENUM) {
      simple.write(keyTag, key);
      simple.write(valueTag, value);
    } else {
      int classes = namedClasses.size();
      try {
        writeBody(keyTag, key);
        writeBody(valueTag, value);
      } catch (NotByOwnCodecs e) {
        giveUp(classes);
        writeByOthers(pair == null ? new Pair<>(key, value) : pair, mark);
      }
    }
    out.recordDone();
  }

  private void writeWhole(Object record, int mark) throws IOException {
    if (serializer.isJavaOnly()) {
      writeByJava(record, mark);
      return;
    }
    int classes = namedClasses.size();
    try {
      writeValue(record);
    } catch (NotByOwnCodecs e) {
      giveUp(classes);
      writeByOthers(record, mark);
    }
  }

  /// The record is written anew by others: what its first bytes told the reader does not count.
  private void giveUp(int classes) {
    depth = 0;
    keyClass = Void.class;
    valueClass = Void.class;
    while (namedClasses.size() > classes) {
      classIds.remove(namedClasses.removeLast());
    }
  }

  private void writeByOthers(Object record, int mark) throws IOException {
    try {
      writeByJava(record, mark);
    } catch (io.kiln.api.KilnException notByJava) {
      out.rollBack(mark);
      out.writeByte(Tag.KRYO);
      try {
        serializer.writeByKryo(record, out);
      } catch (KryoException | StackOverflowError e) {
        throw notByJava;
      }
    }
  }

  private void writeByJava(Object record, int mark) {
    out.rollBack(mark);
    byte[] bytes;
    try {
      bytes = JavaCodec.write(record);
    } catch (IOException | StackOverflowError e) {
      throw ObjectSerializer.notSerializable(
          record, e instanceof IOException io ? io : new IOException("it is nested too deeply"));
    }
    out.writeByte(Tag.JAVA);
    out.writeUnsignedVarInt(bytes.length);
    out.writeBytes(bytes, 0, bytes.length);
  }

  private void writeValue(Object value) {
    if (value == null) {
      out.writeByte(Tag.NULL);
      return;
    }
    int tag = serializer.plan(value.getClass()).tag();
    out.writeByte(tag);
    writeBody(tag, value);
  }

  @SuppressWarnings("EnumOrdinal") // writer and reader run the same application's classes
  private void writeBody(int tag, Object value) {
    if (tag < Tag.ENUM) {
      simple.write(tag, value);
      return;
    }
    switch (tag) {
      case Tag.ENUM -> {
        writeClass(serializer.plan(value.getClass()).type());
        out.writeUnsignedVarInt(((Enum<?>) value).ordinal());
      }
      case Tag.KRYO -> writeByKryo(value);
      case Tag.JAVA -> {
        try {
          byte[] bytes = JavaCodec.write(value);
          out.writeUnsignedVarInt(bytes.length);
          out.writeBytes(bytes, 0, bytes.length);
        } catch (IOException | StackOverflowError e) {
          throw new NotByOwnCodecs();
        }
      }
      default -> {
        enter(value);
        writeHolder(tag, value);
        depth--;
      }
    }
  }

  private void writeByKryo(Object value) {
    try {
      serializer.writeByKryo(value, out);
    } catch (KryoException | StackOverflowError e) {
      throw new NotByOwnCodecs();
    }
  }

  /// A value that holds itself, however indirectly, can't be written by its parts.
  private void enter(Object holder) {
    if (depth == path.length) {
      if (depth == MAX_DEPTH) {
        throw new NotByOwnCodecs();
      }
      path = java.util.Arrays.copyOf(path, Math.max(8, 2 * depth));
    }
    for (int i = 0; i < depth; i++) {
      if (path[i] == holder) {
        throw new NotByOwnCodecs();
      }
    }
    path[depth++] = holder;
  }

  private void writeHolder(int tag, Object value) {
    switch (tag) {
      case Tag.PAIR -> {
        writeValue(((Pair<?, ?>) value).key());
        writeValue(((Pair<?, ?>) value).value());
      }
      case Tag.OPTIONAL -> writeValue(((Optional<?>) value).orElse(null));
      case Tag.HASH_MAP, Tag.MAP_OF -> writeMap((Map<?, ?>) value);
      case Tag.TREE_MAP -> {
        if (((TreeMap<?, ?>) value).comparator() != null) {
          throw new NotByOwnCodecs();
        }
        writeMap((Map<?, ?>) value);
      }
      case Tag.TREE_SET -> {
        if (((TreeSet<?>) value).comparator() != null) {
          throw new NotByOwnCodecs();
        }
        writeElements((Collection<?>) value);
      }
      case Tag.OBJECT_ARRAY -> {
        Object[] array = (Object[]) value;
        writeClass(array.getClass());
        out.writeUnsignedVarInt(array.length);
        for (Object element : array) {
          writeValue(element);
        }
      }
      case Tag.RECORD -> {
        ClassEncoding plan = serializer.plan(value.getClass());
        writeClass(plan.type());
        RecordShape shape = plan.shape().orElseThrow();
        for (int i = 0; i < shape.size(); i++) {
          writeValue(shape.get(value, i));
        }
      }
      case Tag.LIST_OF -> {
        out.writeByte(allowsNull((List<?>) value) ? 1 : 0);
        writeElements((Collection<?>) value);
      }
      case Tag.SUB_LIST,
          Tag.ARRAY_LIST,
          Tag.LINKED_LIST,
          Tag.ARRAY_DEQUE,
          Tag.HASH_SET,
          Tag.SET_OF ->
          writeElements((Collection<?>) value);
      default -> throw new IllegalStateException("no codec has tag " + tag);
    }
  }

  private void writeElements(Collection<?> elements) {
    int size = elements.size();
    out.writeUnsignedVarInt(size);
    int written = 0;
    for (Object element : elements) {
      writeValue(element);
      written++;
    }
    if (written != size) {
      throw new java.util.ConcurrentModificationException("a collection changed while written");
    }
  }

  private void writeMap(Map<?, ?> map) {
    out.writeUnsignedVarInt(map.size());
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      writeValue(entry.getKey());
      writeValue(entry.getValue());
    }
  }

  /// The lists of `Stream.toList()` share a class with those of `List.of`, but may be asked for
  /// `null`.
  private static boolean allowsNull(List<?> list) {
    if (list.getClass() == LIST_OF_TWO) {
      return false;
    }
    try {
      boolean _ = list.contains(null);
      return true;
    } catch (NullPointerException e) {
      return false;
    }
  }

  private void writeClass(Class<?> type) {
    Integer id = classIds.get(type);
    if (id != null) {
      out.writeUnsignedVarInt(id);
      return;
    }
    out.writeUnsignedVarInt(namedClasses.size());
    out.writeString(type.getName());
    classIds.put(type, namedClasses.size());
    namedClasses.add(type);
  }

  /// The record has to be written as a whole by another serializer. Carries no trace: it is a jump.
  private static final class NotByOwnCodecs extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotByOwnCodecs() {
      super(null, null, false, false);
    }
  }
}
