package io.kiln.storage.serializer;

import com.esotericsoftware.kryo.KryoException;
import io.kiln.api.Pair;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Reads streams of records that [ObjectWriter]s wrote, joined or not. Used by one thread.
public final class ObjectReader implements AutoCloseable {
  private final ByteReader in;
  private final ObjectSerializer serializer;
  private final SimpleReader simple;
  private final List<Class<?>> classes = new ArrayList<>(4);
  private int keyTag = -1;
  private int valueTag = -1;

  public ObjectReader(ByteReader in, ObjectSerializer serializer) {
    this.in = in;
    this.serializer = serializer;
    this.simple = new SimpleReader(in);
  }

  /// A number that the writer's caller has put before the next record.
  public int readPrefix() throws IOException {
    return in.readInt();
  }

  public boolean hasNext() throws IOException {
    return in.hasMore();
  }

  /// @throws IOException if the bytes can't be had or are not what was written
  public Object read() throws IOException {
    try {
      while (true) {
        int tag = in.readByte();
        switch (tag) {
          case Tag.RESET -> {
            classes.clear();
            keyTag = -1;
            valueTag = -1;
          }
          case Tag.SAME_PAIR -> {
            return readPair();
          }
          case Tag.PAIR_SHAPE -> {
            keyTag = in.readByte();
            valueTag = in.readByte();
            return readPair();
          }
          default -> {
            return readBody(tag);
          }
        }
      }
    } catch (KryoException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IOException("the stored bytes can't be read: " + e.getMessage(), e);
    }
  }

  private Pair<Object, Object> readPair() throws IOException {
    Object key = readBody(keyTag);
    return new Pair<>(key, readBody(valueTag));
  }

  private Object readValue() throws IOException {
    return readBody(in.readByte());
  }

  private Object readBody(int tag) throws IOException {
    if (tag < Tag.ENUM) {
      return simple.read(tag);
    }
    return switch (tag) {
      case Tag.ENUM -> {
        Object[] constants = readClass().getEnumConstants();
        yield constants[in.readUnsignedVarInt()];
      }
      case Tag.KRYO -> serializer.readByKryo(in.readBytes(in.readUnsignedVarInt()));
      case Tag.JAVA -> JavaCodec.read(in.readBytes(in.readUnsignedVarInt()), serializer.classes());
      case Tag.PAIR -> {
        Object key = readValue();
        yield new Pair<>(key, readValue());
      }
      case Tag.OPTIONAL -> Optional.ofNullable(readValue());
      case Tag.RECORD -> readRecord();
      case Tag.OBJECT_ARRAY -> readArray();
      default -> readCollection(tag);
    };
  }

  private Object readRecord() throws IOException {
    Class<?> type = readClass();
    RecordShape shape =
        serializer
            .plan(type)
            .shape()
            .orElseThrow(() -> new IOException(type.getName() + " is no record here"));
    Object[] components = new Object[shape.size()];
    for (int i = 0; i < components.length; i++) {
      components[i] = readValue();
    }
    return shape.create(components);
  }

  private Object readArray() throws IOException {
    Class<?> type = readClass();
    int length = in.readUnsignedVarInt();
    Object[] array = (Object[]) Array.newInstance(type.getComponentType(), in.believable(length));
    for (int i = 0; i < length; i++) {
      if (i == array.length) {
        array = Arrays.copyOf(array, (int) Math.min(length, 2L * i));
      }
      array[i] = readValue();
    }
    return array;
  }

  @SuppressWarnings("JdkObsolete") // what was a LinkedList comes back as one
  private Object readCollection(int tag) throws IOException {
    if (tag == Tag.LIST_OF) {
      boolean allowsNull = in.readByte() == 1;
      Object[] elements = readElements(in.readUnsignedVarInt()).toArray();
      return allowsNull ? Arrays.stream(elements).toList() : List.of(elements);
    }
    int size = in.readUnsignedVarInt();
    return switch (tag) {
      case Tag.ARRAY_LIST -> readElements(size);
      case Tag.SUB_LIST -> readElements(size).subList(0, size);
      case Tag.LINKED_LIST -> readInto(new LinkedList<>(), size);
      case Tag.ARRAY_DEQUE -> readInto(new ArrayDeque<>(in.believable(size)), size);
      case Tag.HASH_SET -> readInto(HashSet.newHashSet(in.believable(size)), size);
      case Tag.TREE_SET -> readInto(new TreeSet<>(), size);
      case Tag.SET_OF -> Set.of(readElements(size).toArray());
      case Tag.HASH_MAP -> readMap(HashMap.newHashMap(in.believable(size)), size);
      case Tag.TREE_MAP -> readMap(new TreeMap<>(), size);
      case Tag.MAP_OF -> Map.copyOf(readMap(HashMap.newHashMap(in.believable(size)), size));
      default -> throw new IOException("the stored bytes have an unknown tag " + tag);
    };
  }

  @SuppressWarnings("NonApiType") // the class is what has to come back
  private ArrayList<Object> readElements(int size) throws IOException {
    ArrayList<Object> elements = new ArrayList<>(in.believable(size));
    return readInto(elements, size);
  }

  private <C extends Collection<Object>> C readInto(C collection, int size) throws IOException {
    for (int i = 0; i < size; i++) {
      collection.add(readValue());
    }
    return collection;
  }

  private Map<Object, Object> readMap(Map<Object, Object> map, int size) throws IOException {
    for (int i = 0; i < size; i++) {
      Object key = readValue();
      map.put(key, readValue());
    }
    return map;
  }

  private Class<?> readClass() throws IOException {
    int id = in.readUnsignedVarInt();
    if (id < classes.size()) {
      return classes.get(id);
    }
    String name = in.readString();
    try {
      Class<?> type = serializer.classes().find(name);
      classes.add(type);
      return type;
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IOException("class " + name + " is not known here", e);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
