package io.kiln.storage.serializer;

import io.kiln.api.Pair;
import java.io.Externalizable;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/// How the objects of one class are written: decided once a class.
///
/// @param tag who writes it
/// @param type the class to name in the stream: for a constant of an enum, the enum
/// @param shape of a record, else empty
record ClassEncoding(int tag, Class<?> type, Optional<RecordShape> shape) {
  private static final Map<Class<?>, Integer> KNOWN = knownClasses();

  private static Map<Class<?>, Integer> knownClasses() {
    Map<Class<?>, Integer> known = new HashMap<>();
    known.put(Boolean.class, Tag.BOOLEAN);
    known.put(Byte.class, Tag.BYTE);
    known.put(Short.class, Tag.SHORT);
    known.put(Character.class, Tag.CHARACTER);
    known.put(Integer.class, Tag.INTEGER);
    known.put(Long.class, Tag.LONG);
    known.put(Float.class, Tag.FLOAT);
    known.put(Double.class, Tag.DOUBLE);
    known.put(String.class, Tag.STRING);
    known.put(byte[].class, Tag.BYTE_ARRAY);
    known.put(short[].class, Tag.SHORT_ARRAY);
    known.put(char[].class, Tag.CHAR_ARRAY);
    known.put(int[].class, Tag.INT_ARRAY);
    known.put(long[].class, Tag.LONG_ARRAY);
    known.put(float[].class, Tag.FLOAT_ARRAY);
    known.put(double[].class, Tag.DOUBLE_ARRAY);
    known.put(boolean[].class, Tag.BOOLEAN_ARRAY);
    known.put(BigInteger.class, Tag.BIG_INTEGER);
    known.put(BigDecimal.class, Tag.BIG_DECIMAL);
    known.put(UUID.class, Tag.UUID);
    known.put(Instant.class, Tag.INSTANT);
    known.put(LocalDate.class, Tag.LOCAL_DATE);
    known.put(LocalTime.class, Tag.LOCAL_TIME);
    known.put(LocalDateTime.class, Tag.LOCAL_DATE_TIME);
    known.put(Duration.class, Tag.DURATION);
    known.put(Pair.class, Tag.PAIR);
    known.put(Optional.class, Tag.OPTIONAL);
    known.put(ArrayList.class, Tag.ARRAY_LIST);
    known.put(new ArrayList<>().subList(0, 0).getClass(), Tag.SUB_LIST);
    known.put(LinkedList.class, Tag.LINKED_LIST);
    known.put(ArrayDeque.class, Tag.ARRAY_DEQUE);
    known.put(HashSet.class, Tag.HASH_SET);
    known.put(HashMap.class, Tag.HASH_MAP);
    known.put(TreeSet.class, Tag.TREE_SET);
    known.put(TreeMap.class, Tag.TREE_MAP);
    known.put(List.of(1).getClass(), Tag.LIST_OF);
    known.put(List.of(1, 2, 3).getClass(), Tag.LIST_OF);
    known.put(Set.of(1).getClass(), Tag.SET_OF);
    known.put(Set.of(1, 2, 3).getClass(), Tag.SET_OF);
    known.put(Map.of(1, 1).getClass(), Tag.MAP_OF);
    known.put(Map.of(1, 1, 2, 2).getClass(), Tag.MAP_OF);
    return Map.copyOf(known);
  }

  static ClassEncoding of(Class<?> type, SerializerChoice choice) {
    ClassEncoding plan = ofOwn(type);
    boolean kryoFirst = choice == SerializerChoice.KRYO && plan.tag > Tag.LAST_SIMPLE;
    return kryoFirst && plan.tag != Tag.JAVA && plan.tag != Tag.PAIR && plan.tag != Tag.SUB_LIST
        ? new ClassEncoding(Tag.KRYO, type, Optional.empty())
        : plan;
  }

  private static ClassEncoding ofOwn(Class<?> type) {
    Integer known = KNOWN.get(type);
    if (known != null) {
      return new ClassEncoding(known, type, Optional.empty());
    }
    if (Enum.class.isAssignableFrom(type) && type != Enum.class) {
      Class<?> declaring = type.isEnum() ? type : type.getSuperclass();
      return new ClassEncoding(Tag.ENUM, declaring, Optional.empty());
    }
    if (type.isArray() && !type.getComponentType().isPrimitive()) {
      return new ClassEncoding(Tag.OBJECT_ARRAY, type, Optional.empty());
    }
    if (type.isRecord() && !hasOwnJavaForm(type) && !type.isHidden()) {
      Optional<RecordShape> shape = RecordShape.of(type);
      if (shape.isPresent()) {
        return new ClassEncoding(Tag.RECORD, type, shape);
      }
    }
    return new ClassEncoding(isPlain(type) ? Tag.KRYO : Tag.JAVA, type, Optional.empty());
  }

  /// Whether the fields of the class are all that it is, and can be read and set: a class of the
  /// user, not built on one of the JDK, without a serial form of its own.
  static boolean isPlain(Class<?> type) {
    if (type.isHidden() || type.isSynthetic() || Proxy.isProxyClass(type)) {
      return false;
    }
    for (Class<?> at = type; at != Object.class && at != null; at = at.getSuperclass()) {
      if (isOfJdk(at)) {
        return false;
      }
    }
    return !type.isInterface() && !hasOwnJavaForm(type);
  }

  static boolean isOfJdk(Class<?> type) {
    return type.getClassLoader() == null
        || type.getClassLoader() == ClassLoader.getPlatformClassLoader();
  }

  /// Whether the class says itself how it is serialised.
  static boolean hasOwnJavaForm(Class<?> type) {
    if (Externalizable.class.isAssignableFrom(type)) {
      return true;
    }
    for (Class<?> at = type; at != Object.class && at != null; at = at.getSuperclass()) {
      for (Method method : at.getDeclaredMethods()) {
        if (!Modifier.isStatic(method.getModifiers()) && isJavaForm(method)) {
          return true;
        }
      }
      try {
        if (Serializable.class.isAssignableFrom(at)) {
          java.lang.reflect.Field _ = at.getDeclaredField("serialPersistentFields");
          return true;
        }
      } catch (NoSuchFieldException e) {
        // the usual case: the fields are the form
      }
    }
    return false;
  }

  private static boolean isJavaForm(Method method) {
    Class<?>[] parameters = method.getParameterTypes();
    return switch (method.getName()) {
      case "writeObject" -> parameters.length == 1 && parameters[0] == ObjectOutputStream.class;
      case "readObject" -> parameters.length == 1 && parameters[0] == ObjectInputStream.class;
      case "writeReplace", "readResolve", "readObjectNoData" -> parameters.length == 0;
      default -> false;
    };
  }
}
