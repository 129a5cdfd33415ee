package io.kiln.driver.closure;

import io.kiln.api.spi.EngineClasses;
import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.net.URI;
import java.util.Collection;
import java.util.Currency;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/// The classes that are known without looking inside.
final class KnownTypes {
  /// Immutable, serialisable, and of exactly this class.
  private static final Set<Class<?>> IMMUTABLE =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Character.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          MathContext.class,
          Class.class,
          UUID.class,
          URI.class,
          File.class,
          Locale.class,
          Currency.class,
          Pattern.class);

  /// Collections of the JDK that never change once made; what is in them may.
  private static final Set<String> IMMUTABLE_COLLECTIONS =
      Set.of(
          "java.util.Collections$EmptyList",
          "java.util.Collections$EmptySet",
          "java.util.Collections$EmptyMap",
          "java.util.Collections$SingletonList",
          "java.util.Collections$SingletonSet",
          "java.util.Collections$SingletonMap",
          "java.util.Collections$CopiesList");

  private KnownTypes() {}

  /// Whether every instance is immutable and serialisable, and holds nothing that is not.
  static boolean isImmutable(Class<?> type) {
    return IMMUTABLE.contains(type)
        || type.getName().equals("java.util.Collections$ReverseComparator")
        || Enum.class.isAssignableFrom(type)
        || (type.getName().startsWith("java.time.") && isSerializable(type));
  }

  /// Whether a field of this declared type can hold nothing but what is immutable.
  static boolean holdsOnlyImmutable(Class<?> declared) {
    return declared.isPrimitive()
        || (declared != File.class
            && declared != BigInteger.class
            && declared != BigDecimal.class
            && IMMUTABLE.contains(declared))
        || declared.isEnum();
  }

  static boolean isImmutableCollection(Class<?> type) {
    return type.getName().startsWith("java.util.ImmutableCollections$")
        || IMMUTABLE_COLLECTIONS.contains(type.getName());
  }

  /// Whether it is a collection or map of the JDK, which iterates over all that it holds.
  static boolean isPlatformCollection(Class<?> type) {
    return type.getName().startsWith("java.util.")
        && (Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type));
  }

  static boolean isContainer(Class<?> declared) {
    return declared.isArray()
        || Collection.class.isAssignableFrom(declared)
        || Map.class.isAssignableFrom(declared);
  }

  static boolean isSerializable(Class<?> type) {
    return java.io.Serializable.class.isAssignableFrom(type);
  }

  /// Whether it is one of the engine's own, such as lineages are made of.
  static boolean isKilns(Class<?> type) {
    return EngineClasses.has(type);
  }

  static boolean isLambda(Class<?> type) {
    return type.isHidden() && type.isSynthetic() && type.getName().contains("$$Lambda");
  }
}
