package io.kiln.storage.memory;

import io.kiln.api.Pair;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Says about how much heap an object and all that it refers to take, without looking into the JVM:
/// known JDK types by their layout with compressed references, collections by a sample of their
/// elements, other classes by their fields where these can be read, else by a guess on the high
/// side.
///
/// An instance serves one estimate at a time and one thread.
public final class SizeEstimator {
  private static final int SAMPLED_ELEMENTS = 24;
  private static final int MAX_DEPTH = 32;
  private static final long UNKNOWN_BYTES = 128;
  private static final long ENTRY_BYTES = 48;

  private static final ClassValue<Shape> shapes =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          return Shape.of(type);
        }
      };

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  /// @return bytes; 0 for `null`
  public long estimate(Object value) {
    long simple = ofSimple(value);
    if (simple >= 0) {
      return simple;
    }
    seen.clear();
    long bytes = of(value, 0);
    seen.clear();
    return bytes;
  }

  private long of(Object value, int depth) {
    long simple = ofSimple(value);
    if (simple >= 0) {
      return simple;
    }
    if (depth > MAX_DEPTH || !seen.add(value)) {
      return 0;
    }
    return switch (value) {
      case Pair<?, ?> pair -> 24 + of(pair.key(), depth + 1) + of(pair.value(), depth + 1);
      case Object[] array -> ofArray(array, depth);
      case Optional<?> optional -> 16 + of(optional.orElse(null), depth + 1);
      case Collection<?> collection when isOfJdk(value) -> ofCollection(collection, depth);
      case Map<?, ?> map when isOfJdk(value) ->
          48
              + (long) map.size() * ENTRY_BYTES
              + sampled(map.keySet().iterator(), map.size(), depth)
              + sampled(map.values().iterator(), map.size(), depth);
      default -> ofFields(value, depth);
    };
  }

  /// @return -1 if the value is not a simple one
  private static long ofSimple(Object value) {
    return switch (value) {
      case null -> 0;
      case String text -> 40 + align(text.length() * (isLatin(text) ? 1L : 2L));
      case Integer _, Float _, Short _, Byte _, Character _, Boolean _ -> 16;
      case Long _, Double _ -> 24;
      case byte[] array -> 16 + align(array.length);
      case boolean[] array -> 16 + align(array.length);
      case int[] array -> 16 + align(4L * array.length);
      case long[] array -> 16 + 8L * array.length;
      case double[] array -> 16 + 8L * array.length;
      case float[] array -> 16 + align(4L * array.length);
      case char[] array -> 16 + align(2L * array.length);
      case short[] array -> 16 + align(2L * array.length);
      case Enum<?> _, Class<?> _, Thread _, ClassLoader _ -> 0;
      default -> -1;
    };
  }

  private static boolean isLatin(String text) {
    int checked = Math.min(text.length(), 32);
    for (int i = 0; i < checked; i++) {
      if (text.charAt(i) > 0xff) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOfJdk(Object value) {
    return value.getClass().getClassLoader() == null;
  }

  private long ofArray(Object[] array, int depth) {
    long bytes = 16 + align(4L * array.length);
    if (array.length <= SAMPLED_ELEMENTS) {
      for (Object element : array) {
        bytes += of(element, depth + 1);
      }
      return bytes;
    }
    long sampled = 0;
    int step = array.length / SAMPLED_ELEMENTS;
    for (int i = 0; i < SAMPLED_ELEMENTS; i++) {
      sampled += of(array[i * step], depth + 1);
    }
    return bytes + sampled * array.length / SAMPLED_ELEMENTS;
  }

  private long ofCollection(Collection<?> collection, int depth) {
    int size = collection.size();
    if (collection instanceof ArrayList<?> list && size > SAMPLED_ELEMENTS) {
      return 24 + 16 + 6L * size + sampledList(list, depth);
    }
    long perElement = collection instanceof List<?> ? 8 : ENTRY_BYTES;
    return 40 + perElement * size + sampled(collection.iterator(), size, depth);
  }

  private long sampledList(List<?> list, int depth) {
    long sampled = 0;
    int step = list.size() / SAMPLED_ELEMENTS;
    for (int i = 0; i < SAMPLED_ELEMENTS; i++) {
      sampled += of(list.get(i * step), depth + 1);
    }
    return sampled * list.size() / SAMPLED_ELEMENTS;
  }

  private long sampled(Iterator<?> elements, int size, int depth) {
    int looked = 0;
    long bytes = 0;
    while (looked < SAMPLED_ELEMENTS && elements.hasNext()) {
      bytes += of(elements.next(), depth + 1);
      looked++;
    }
    return looked == 0 ? 0 : bytes * Math.max(size, looked) / looked;
  }

  private long ofFields(Object value, int depth) {
    if (value.getClass().isArray()) {
      return 16 + 8L * Array.getLength(value);
    }
    Shape shape = shapes.get(value.getClass());
    long bytes = shape.shallowBytes();
    for (Field field : shape.references()) {
      try {
        bytes += of(field.get(value), depth + 1);
      } catch (IllegalAccessException e) {
        bytes += UNKNOWN_BYTES;
      }
    }
    return bytes;
  }

  private static long align(long bytes) {
    return (bytes + 7) & ~7L;
  }

  /// @param shallowBytes with a guess for what can't be read
  /// @param references fields that can be read
  private record Shape(long shallowBytes, List<Field> references) {
    private static Shape of(Class<?> type) {
      long bytes = 12;
      List<Field> references = new ArrayList<>();
      for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
        for (Field field : at.getDeclaredFields()) {
          if (Modifier.isStatic(field.getModifiers())) {
            continue;
          }
          bytes += width(field.getType());
          if (!field.getType().isPrimitive()) {
            if (isReadable(field)) {
              references.add(field);
            } else {
              bytes += UNKNOWN_BYTES;
            }
          }
        }
      }
      return new Shape(align(bytes), List.copyOf(references));
    }

    private static boolean isReadable(Field field) {
      try {
        return field.trySetAccessible();
      } catch (InaccessibleObjectException | SecurityException e) {
        return false;
      }
    }

    private static int width(Class<?> type) {
      if (type == long.class || type == double.class) {
        return 8;
      }
      if (type == byte.class || type == boolean.class) {
        return 1;
      }
      return type == short.class || type == char.class ? 2 : 4;
    }
  }
}
