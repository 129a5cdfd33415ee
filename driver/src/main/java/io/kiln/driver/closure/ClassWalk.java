package io.kiln.driver.closure;

import io.kiln.api.Broadcast;
import io.kiln.api.RDD;
import java.io.Externalizable;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How to walk the instances of one class, worked out once a class. Immutable.
///
/// A class counts as immutable if all its fields are final and serialised, and nothing of its own
/// runs when it is written or read. The engine's own classes, which lineages are made of, keep to a
/// rule that allows more: their `transient` and `volatile` fields, and the fields of [RDD] itself,
/// mean something in the driver only or never mislead a task; and an array or collection in a final
/// field that is declared as such is never changed once it is there.
final class ClassWalk {

  /// What is to be done with an instance.
  enum Shape {
    /// Nothing: it is immutable with all that it holds.
    IMMUTABLE,
    /// Walk its fields.
    FIELDS,
    /// Like fields; made by a lambda or method reference.
    LAMBDA,
    /// A capturing lambda of the JDK: its fields can't be read, its serial form can.
    PLATFORM_LAMBDA,
    PRIMITIVE_ARRAY,
    ARRAY,
    /// Iterate.
    COLLECTION,
    MAP,
    /// Look inside: it is written although its class is not serialisable.
    OPTIONAL,
    /// Walk its invocation handler.
    PROXY,
    /// Only writing it tells what it holds.
    OPAQUE,
    /// It can't be written, or not read.
    NOT_SERIALIZABLE
  }

  private static final Field[] NONE = {};

  private static final ClassValue<ClassWalk> PLANS =
      new ClassValue<>() {
        @Override
        protected ClassWalk computeValue(Class<?> type) {
          return make(type);
        }
      };

  private final Shape shape;
  private final boolean mutable;
  private final Field[] references;
  private final boolean[] frozen;
  private final String obstacle;

  private ClassWalk(
      Shape shape, boolean mutable, Field[] references, boolean[] frozen, String obstacle) {
    this.shape = shape;
    this.mutable = mutable;
    this.references = references;
    this.frozen = frozen;
    this.obstacle = obstacle;
  }

  static ClassWalk of(Class<?> type) {
    return PLANS.get(type);
  }

  Shape shape() {
    return shape;
  }

  /// Whether an instance itself, leaving aside what it refers to, may change.
  boolean isMutable() {
    return mutable;
  }

  /// The fields to walk, readable.
  Field[] references() {
    return references;
  }

  /// Whether the array or collection in a field of [#references] is never changed.
  boolean isFrozen(int reference) {
    return frozen[reference];
  }

  /// Why a class that implements `Serializable` still can't be serialised; may be empty.
  String obstacle() {
    return obstacle;
  }

  private static ClassWalk make(Class<?> type) {
    if (KnownTypes.isImmutable(type) || Broadcast.class.isAssignableFrom(type)) {
      return simple(Shape.IMMUTABLE, false);
    }
    if (type.isArray()) {
      boolean primitive = type.getComponentType().isPrimitive();
      return simple(primitive ? Shape.PRIMITIVE_ARRAY : Shape.ARRAY, true);
    }
    if (type == Optional.class) {
      return simple(Shape.OPTIONAL, false);
    }
    if (!KnownTypes.isSerializable(type)) {
      return simple(Shape.NOT_SERIALIZABLE, true);
    }
    if (KnownTypes.isPlatformCollection(type)) {
      boolean map = Map.class.isAssignableFrom(type);
      return simple(map ? Shape.MAP : Shape.COLLECTION, !KnownTypes.isImmutableCollection(type));
    }
    if (Proxy.isProxyClass(type)) {
      return simple(Shape.PROXY, true);
    }
    if (KnownTypes.isLambda(type)) {
      return lambda(type);
    }
    if (type.getName().startsWith("java.") || runsOwnCodeToWrite(type)) {
      return simple(Shape.OPAQUE, true);
    }
    return fields(type);
  }

  private static ClassWalk simple(Shape shape, boolean mutable) {
    return new ClassWalk(shape, mutable, NONE, new boolean[0], "");
  }

  private static ClassWalk lambda(Class<?> type) {
    List<Field> references = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())
          && !KnownTypes.holdsOnlyImmutable(field.getType())) {
        if (!field.trySetAccessible()) {
          return simple(Shape.PLATFORM_LAMBDA, false);
        }
        references.add(field);
      }
    }
    if (references.isEmpty()) {
      return simple(Shape.IMMUTABLE, false);
    }
    Field[] array = references.toArray(NONE);
    return new ClassWalk(Shape.LAMBDA, false, array, new boolean[array.length], "");
  }

  private static ClassWalk fields(Class<?> type) {
    Optional<String> obstacle = unreadable(type);
    if (obstacle.isPresent()) {
      return new ClassWalk(Shape.NOT_SERIALIZABLE, true, NONE, new boolean[0], obstacle.get());
    }
    FieldCollector collector = new FieldCollector();
    for (Class<?> level = type; level != Object.class; level = level.getSuperclass()) {
      if (!collector.collect(level, type.isRecord())) {
        return simple(Shape.OPAQUE, true);
      }
    }
    if (collector.references.isEmpty() && !collector.mutable) {
      return simple(Shape.IMMUTABLE, false);
    }
    Field[] references = collector.references.toArray(NONE);
    boolean[] frozen = new boolean[references.length];
    for (int i = 0; i < frozen.length; i++) {
      Field field = references[i];
      frozen[i] =
          KnownTypes.isKilns(field.getDeclaringClass())
              && Modifier.isFinal(field.getModifiers())
              && KnownTypes.isContainer(field.getType());
    }
    return new ClassWalk(Shape.FIELDS, collector.mutable, references, frozen, "");
  }

  /// Gathers the fields of a class and its superclasses.
  private static final class FieldCollector {
    private final List<Field> references = new ArrayList<>();
    private boolean mutable;

    /// @return whether the fields could be read
    boolean collect(Class<?> level, boolean isRecord) {
      boolean serialized = isRecord || KnownTypes.isSerializable(level);
      boolean kilns = KnownTypes.isKilns(level);
      mutable |= !kilns && declares(level, "readObject", ObjectInputStream.class);
      mutable |= !kilns && declares(level, "readResolve");
      for (Field field : level.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        if (Modifier.isStatic(modifiers)) {
          continue;
        }
        boolean written = serialized && !Modifier.isTransient(modifiers);
        boolean exempt =
            level == RDD.class
                || (kilns && (Modifier.isTransient(modifiers) || Modifier.isVolatile(modifiers)));
        mutable |= !exempt && (!Modifier.isFinal(modifiers) || !written);
        if (written && !KnownTypes.holdsOnlyImmutable(field.getType())) {
          if (!field.trySetAccessible()) {
            return false;
          }
          references.add(field);
        }
      }
      return true;
    }
  }

  /// Whether the class, or a superclass, decides itself what is written.
  private static boolean runsOwnCodeToWrite(Class<?> type) {
    if (Externalizable.class.isAssignableFrom(type)) {
      return true;
    }
    for (Class<?> level = type; level != null; level = level.getSuperclass()) {
      if (declares(level, "writeReplace")
          || declares(level, "writeObject", ObjectOutputStream.class)) {
        return true;
      }
      if (!type.isRecord() && hasPersistentFields(level)) {
        return true;
      }
    }
    return false;
  }

  private static boolean declares(Class<?> type, String method, Class<?>... parameters) {
    try {
      return type.getDeclaredMethod(method, parameters) != null;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private static boolean hasPersistentFields(Class<?> type) {
    try {
      return type.getDeclaredField("serialPersistentFields").getType() == ObjectStreamField[].class;
    } catch (NoSuchFieldException e) {
      return false;
    }
  }

  /// Java serialization makes an object by the constructor without arguments of its first
  /// superclass that isn't serialisable.
  private static Optional<String> unreadable(Class<?> type) {
    if (type.isRecord()) {
      return Optional.empty();
    }
    Class<?> ancestor = type.getSuperclass();
    while (KnownTypes.isSerializable(ancestor)) {
      ancestor = ancestor.getSuperclass();
    }
    try {
      Constructor<?> constructor = ancestor.getDeclaredConstructor();
      int modifiers = constructor.getModifiers();
      boolean accessible =
          Modifier.isPublic(modifiers)
              || Modifier.isProtected(modifiers)
              || (!Modifier.isPrivate(modifiers)
                  && ancestor.getPackageName().equals(type.getPackageName()));
      if (accessible) {
        return Optional.empty();
      }
    } catch (NoSuchMethodException e) {
      // as below
    }
    return Optional.of(
        "its superclass "
            + ancestor.getName()
            + " is neither serializable nor has a constructor without arguments");
  }
}
