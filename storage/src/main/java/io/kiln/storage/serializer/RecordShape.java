package io.kiln.storage.serializer;

import io.kiln.api.KilnException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Optional;

/// Takes a user's record apart by its fields and builds it by its canonical constructor.
/// Immutable.
final class RecordShape {
  private final Class<?> type;
  private final MethodHandle[] fields;
  private final MethodHandle constructor;

  private RecordShape(Class<?> type, MethodHandle[] fields, MethodHandle constructor) {
    this.type = type;
    this.fields = fields;
    this.constructor = constructor;
  }

  /// @return empty if the record can't be reached into
  static Optional<RecordShape> of(Class<?> type) {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      RecordComponent[] components = type.getRecordComponents();
      MethodHandle[] fields = new MethodHandle[components.length];
      for (int i = 0; i < components.length; i++) {
        Field field = type.getDeclaredField(components[i].getName());
        if (!field.trySetAccessible()) {
          return Optional.empty();
        }
        fields[i] =
            lookup.unreflectGetter(field).asType(MethodType.methodType(Object.class, Object.class));
      }
      Constructor<?> constructor =
          type.getDeclaredConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      if (!constructor.trySetAccessible()) {
        return Optional.empty();
      }
      MethodHandle spread =
          lookup
              .unreflectConstructor(constructor)
              .asSpreader(Object[].class, components.length)
              .asType(MethodType.methodType(Object.class, Object[].class));
      return Optional.of(new RecordShape(type, fields, spread));
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }

  int size() {
    return fields.length;
  }

  Object get(Object instance, int component) {
    try {
      return (Object) fields[component].invokeExact(instance);
    } catch (Throwable e) {
      throw new KilnException(
          "RECORD_UNREADABLE",
          KilnException.Kind.INTERNAL,
          "can't read a component of record " + type.getName(),
          e);
    }
  }

  Object create(Object[] components) {
    try {
      return (Object) constructor.invokeExact(components);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new KilnException(
          "RECORD_CONSTRUCTOR_FAILED",
          KilnException.Kind.APPLICATION,
          "the constructor of record "
              + type.getName()
              + " refused components that the record had when it was written: "
              + e,
          e);
    }
  }
}
