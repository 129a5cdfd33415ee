package io.kiln.network.fuzz;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// Makes values of whatever a registry's records are made of. Used by one thread.
final class RandomRecords {
  private static final int MAX_DEPTH = 6;
  private static final int TRIES = 1000;

  private final RandomGenerator random;
  private final List<Class<?>> registered;

  /// @param registered what interfaces may stand for
  RandomRecords(RandomGenerator random, Collection<Class<?>> registered) {
    this.random = random;
    this.registered = List.copyOf(registered);
  }

  /// @throws AssertionError if its constructor refuses everything
  Record next(Class<?> type) {
    for (int i = 0; i < TRIES; i++) {
      try {
        return (Record) value(type, 0);
      } catch (IllegalArgumentException e) {
        // the record's own constructor refuses it
      }
    }
    throw new AssertionError("no " + type.getName() + " could be made in " + TRIES + " tries");
  }

  private Object value(Type type, int depth) {
    return switch (type) {
      case Class<?> plain -> ofClass(plain, depth);
      case ParameterizedType generic -> ofContainer(generic, depth);
      default -> throw new AssertionError("what is " + type + "?");
    };
  }

  private Object ofContainer(ParameterizedType type, int depth) {
    Type[] of = type.getActualTypeArguments();
    int count = depth > MAX_DEPTH ? 0 : random.nextInt(4);
    if (type.getRawType() == Optional.class) {
      return count == 0 ? Optional.empty() : Optional.of(value(of[0], depth + 1));
    }
    if (type.getRawType() == Map.class) {
      Map<Object, Object> map = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        map.put(value(of[0], depth + 1), value(of[1], depth + 1));
      }
      return map;
    }
    Collection<Object> values =
        type.getRawType() == List.class ? new ArrayList<>() : new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      values.add(value(of[0], depth + 1));
    }
    return values;
  }

  private Object ofClass(Class<?> type, int depth) {
    if (type.isRecord()) {
      return ofRecord(type, depth);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
    }
    if (type.isInterface()) {
      List<Class<?>> alternatives = registered.stream().filter(type::isAssignableFrom).toList();
      return value(alternatives.get(random.nextInt(alternatives.size())), depth + 1);
    }
    return simple(type);
  }

  private Object ofRecord(Class<?> type, int depth) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = components[i].getType();
      values[i] = value(components[i].getGenericType(), depth + 1);
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  /// Small numbers are likely, as constructors like them, and the largest ones too.
  private long number() {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextLong();
      case 1 -> random.nextInt();
      case 2 -> random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
      default -> random.nextInt(100);
    };
  }

  private Object simple(Class<?> type) {
    return switch (type.getName()) {
      case "boolean", "java.lang.Boolean" -> random.nextBoolean();
      case "byte", "java.lang.Byte" -> (byte) number();
      case "short", "java.lang.Short" -> (short) number();
      case "char", "java.lang.Character" -> (char) number();
      case "int", "java.lang.Integer" -> (int) number();
      case "long", "java.lang.Long" -> number();
      case "float", "java.lang.Float" -> Float.intBitsToFloat((int) number());
      case "double", "java.lang.Double" -> Double.longBitsToDouble(number());
      case "java.lang.String" -> text();
      case "[B" -> bytes();
      case "[I" -> random.ints(random.nextInt(5)).toArray();
      case "[J" -> random.longs(random.nextInt(5)).toArray();
      case "[D" -> random.doubles(random.nextInt(5)).toArray();
      case "java.time.Duration" -> Duration.ofSeconds(random.nextInt(), random.nextInt(1_000_000));
      case "java.time.Instant" -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1000));
      case "java.util.UUID" -> new UUID(random.nextLong(), random.nextLong());
      case "java.net.URI" -> URI.create("file:/" + random.nextInt(100));
      default -> throw new AssertionError("how is a " + type.getName() + " made?");
    };
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.appendCodePoint(random.nextInt(8) == 0 ? 0x1F600 + random.nextInt(50) : 'a' + i);
    }
    return text.toString();
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(20)];
    random.nextBytes(bytes);
    return bytes;
  }
}
