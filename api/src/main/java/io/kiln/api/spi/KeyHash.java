package io.kiln.api.spi;

import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/// Hash codes of keys that are the same in every process: a key's own `hashCode`, except that a
/// constant of an enum hashes by its name, also inside of records, pairs, lists, sets, maps and
/// optionals. (The hash code of an enum's constant is its identity's, which differs between
/// processes.) What holds no enum has the hash code that its `hashCode` gives.
///
/// What only has an identity can't be a key: it is refused.
///
/// A class of the user's that hashes an enum in its own `hashCode` can't be seen through; readers
/// find such keys in the wrong place ([#isCertain] says where they need not look).
public final class KeyHash {
  private static final Set<Class<?>> VALUES =
      Set.of(
          String.class,
          Integer.class,
          Long.class,
          Double.class,
          Float.class,
          Short.class,
          Byte.class,
          Character.class,
          Boolean.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          Instant.class,
          Duration.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class);

  private static final ClassValue<Hasher> HASHERS =
      new ClassValue<>() {
        @Override
        protected Hasher computeValue(Class<?> type) {
          return hasherOf(type);
        }
      };

  private KeyHash() {}

  /// @return 0 for `null`
  /// @throws KilnException `KEY_IS_ARRAY` or `KEY_WITHOUT_HASH` if equal keys would not be found
  public static int of(Object key) {
    if (key == null) {
      return 0;
    }
    Class<?> type = key.getClass();
    if (type == String.class || type == Integer.class || type == Long.class) {
      return key.hashCode();
    }
    return HASHERS.get(type).hash(key);
  }

  /// Checks that equal keys of this one's class can be found.
  ///
  /// @throws KilnException `KEY_IS_ARRAY` or `KEY_WITHOUT_HASH`
  public static void require(Object key) {
    if (key == null || key instanceof String || key instanceof Integer || key instanceof Long) {
      return;
    }
    if (HASHERS.get(key.getClass()) instanceof Refusing refusing) {
      throw refusing.refusal();
    }
  }

  /// Whether objects of this class surely have the same hash code in every process.
  public static boolean isCertain(Class<?> type) {
    return HASHERS.get(type).isCertain();
  }

  private static Hasher hasherOf(Class<?> type) {
    if (VALUES.contains(type)) {
      return new Own(true);
    }
    if (Enum.class.isAssignableFrom(type)) {
      return new ByName();
    }
    if (type.isArray()) {
      return new Refusing(type);
    }
    if (type == Pair.class) {
      return new OfPair();
    }
    if (List.class.isAssignableFrom(type)
        || Set.class.isAssignableFrom(type)
        || Map.class.isAssignableFrom(type)
        || Map.Entry.class.isAssignableFrom(type)
        || type == Optional.class
        || type == Class.class) {
      return new ByContract();
    }
    if (type.isRecord() && hasImplicitHash(type)) {
      return ofRecord(type);
    }
    return hashCodeOf(type).getDeclaringClass() == Object.class
        ? new Refusing(type)
        : new Own(false);
  }

  private static Method hashCodeOf(Class<?> type) {
    try {
      return type.getMethod("hashCode");
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every class has hashCode", e);
    }
  }

  /// The compiler makes the method of a record final; who writes one by hand does not.
  private static boolean hasImplicitHash(Class<?> type) {
    return Modifier.isFinal(hashCodeOf(type).getModifiers());
  }

  private static Hasher ofRecord(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    boolean certain = Stream.of(components).allMatch(part -> isCertainComponent(part.getType()));
    if (certain && Stream.of(components).noneMatch(part -> part.getType().isEnum())) {
      return new Own(true);
    }
    try {
      MethodHandle[] fields = new MethodHandle[components.length];
      for (int i = 0; i < fields.length; i++) {
        Field field = type.getDeclaredField(components[i].getName());
        if (!field.trySetAccessible()) {
          return new Own(false);
        }
        fields[i] =
            MethodHandles.lookup()
                .unreflectGetter(field)
                .asType(MethodType.methodType(Object.class, Object.class));
      }
      return new OfRecord(fields, certain);
    } catch (ReflectiveOperationException e) {
      return new Own(false);
    }
  }

  private static boolean isCertainComponent(Class<?> type) {
    return type.isPrimitive() || type.isEnum() || VALUES.contains(type);
  }

  private sealed interface Hasher {
    int hash(Object key);

    boolean isCertain();
  }

  private record Own(boolean isCertain) implements Hasher {
    @Override
    public int hash(Object key) {
      return key.hashCode();
    }
  }

  private record ByName() implements Hasher {
    @Override
    public int hash(Object key) {
      return ((Enum<?>) key).name().hashCode();
    }

    @Override
    public boolean isCertain() {
      return true;
    }
  }

  private record Refusing(Class<?> type) implements Hasher {
    @Override
    public int hash(Object key) {
      throw refusal();
    }

    KilnException refusal() {
      return type.isArray()
          ? new KilnException(
              "KEY_IS_ARRAY",
              KilnException.Kind.USER,
              "a key is an array ("
                  + type.getSimpleName()
                  + "), and equal arrays have unequal hash codes; use a list or a record as the"
                  + " key, or partitionBy with a partitioner of your own")
          : new KilnException(
              "KEY_WITHOUT_HASH",
              KilnException.Kind.USER,
              "a key is of class "
                  + type.getName()
                  + ", which has no hashCode of its own, so equal keys can't be found; give it"
                  + " equals and hashCode, or make it a record");
    }

    @Override
    public boolean isCertain() {
      return false;
    }
  }

  private record OfPair() implements Hasher {
    @Override
    public int hash(Object key) {
      Pair<?, ?> pair = (Pair<?, ?>) key;
      return 31 * of(pair.key()) + of(pair.value());
    }

    @Override
    public boolean isCertain() {
      return false;
    }
  }

  private record OfRecord(MethodHandle[] fields, boolean isCertain) implements Hasher {
    @Override
    public int hash(Object key) {
      int hash = 0;
      for (MethodHandle field : fields) {
        hash = 31 * hash + of(component(field, key));
      }
      return hash;
    }

    private static Object component(MethodHandle field, Object key) {
      try {
        return (Object) field.invokeExact(key);
      } catch (Throwable e) {
        throw new IllegalStateException("can't read a component of " + key.getClass(), e);
      }
    }
  }

  /// What the interfaces say that the hash code is.
  private record ByContract() implements Hasher {
    @Override
    public int hash(Object key) {
      return switch (key) {
        case List<?> list -> {
          int hash = 1;
          for (Object element : list) {
            hash = 31 * hash + of(element);
          }
          yield hash;
        }
        case Set<?> set -> sum(set.iterator());
        case Map<?, ?> map -> sum(map.entrySet().iterator());
        case Map.Entry<?, ?> entry -> of(entry.getKey()) ^ of(entry.getValue());
        case Optional<?> optional -> of(optional.orElse(null));
        case Class<?> type -> type.getName().hashCode();
        default -> key.hashCode();
      };
    }

    private static int sum(Iterator<?> elements) {
      int sum = 0;
      while (elements.hasNext()) {
        sum += of(elements.next());
      }
      return sum;
    }

    @Override
    public boolean isCertain() {
      return false;
    }
  }
}
