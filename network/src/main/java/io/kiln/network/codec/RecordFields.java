package io.kiln.network.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;

/// Reads and writes the components of one type of record, in order.
final class RecordFields implements ValueCodec<Object> {
  private static final int MOST_PASSED = 6;

  private final Class<?> type;
  private final MethodHandles.Lookup lookup;
  private ValueCodec<Object>[] codecs;
  private int minBytes;
  private boolean measuring;
  private boolean describing;

  // each made when first needed: a JVM makes classes for them, and most processes meet few types
  private volatile MethodHandle[] accessors;
  private volatile MethodHandle constructor;

  /// Not complete before [#complete]: a record may contain itself.
  RecordFields(Class<?> type, MethodHandles.Lookup lookup) {
    this.type = type;
    this.lookup = lookup;
  }

  void complete(ValueCodec<Object>[] components) {
    codecs = components;
  }

  private MethodHandle[] accessors() {
    MethodHandle[] known = accessors;
    if (known == null) {
      RecordComponent[] components = type.getRecordComponents();
      known = new MethodHandle[components.length];
      try {
        MethodHandles.Lookup inside = MethodHandles.privateLookupIn(type, lookup);
        for (int i = 0; i < known.length; i++) {
          known[i] =
              inside
                  .unreflect(components[i].getAccessor())
                  .asType(MethodType.methodType(Object.class, Object.class));
        }
      } catch (IllegalAccessException e) {
        throw new IllegalArgumentException(type.getName() + " can't be read", e);
      }
      accessors = known;
    }
    return known;
  }

  private MethodHandle constructor() {
    MethodHandle known = constructor;
    if (known == null) {
      RecordComponent[] components = type.getRecordComponents();
      Class<?>[] parameters = new Class<?>[components.length];
      for (int i = 0; i < parameters.length; i++) {
        parameters[i] = components[i].getType();
      }
      try {
        known =
            MethodHandles.privateLookupIn(type, lookup)
                .findConstructor(type, MethodType.methodType(void.class, parameters))
                .asType(MethodType.genericMethodType(parameters.length));
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException(type.getName() + " can't be made", e);
      }
      if (parameters.length > MOST_PASSED) {
        known = known.asSpreader(Object[].class, parameters.length);
      }
      constructor = known;
    }
    return known;
  }

  /// Passing the values one by one instead of spreading an array saves classes that the JVM would
  /// make for each type of record.
  private static Object make(MethodHandle maker, Object[] v) throws Throwable {
    return switch (v.length) {
      case 0 -> (Object) maker.invokeExact();
      case 1 -> (Object) maker.invokeExact(v[0]);
      case 2 -> (Object) maker.invokeExact(v[0], v[1]);
      case 3 -> (Object) maker.invokeExact(v[0], v[1], v[2]);
      case 4 -> (Object) maker.invokeExact(v[0], v[1], v[2], v[3]);
      case 5 -> (Object) maker.invokeExact(v[0], v[1], v[2], v[3], v[4]);
      case MOST_PASSED -> (Object) maker.invokeExact(v[0], v[1], v[2], v[3], v[4], v[5]);
      default -> (Object) maker.invokeExact(v);
    };
  }

  @Override
  public void write(Object value, WireWriter out) {
    MethodHandle[] readers = accessors();
    try {
      for (int i = 0; i < codecs.length; i++) {
        codecs[i].write((Object) readers[i].invokeExact(value), out);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e); // accessors of records declare none
    }
  }

  @Override
  public Object read(WireReader in) {
    in.enter();
    Object[] values = new Object[codecs.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = codecs[i].read(in);
    }
    in.leave();
    MethodHandle maker = constructor();
    try {
      return make(maker, values);
    } catch (RuntimeException e) {
      throw new WireFormatException("a " + type.getSimpleName() + " refuses its content: " + e);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e); // canonical constructors declare none
    }
  }

  @Override
  public int minBytes() {
    if (minBytes == 0 && !measuring) {
      measuring = true; // a record in itself adds nothing: there has to be another way out
      for (ValueCodec<Object> codec : codecs) {
        minBytes += codec.minBytes();
      }
      measuring = false;
    }
    return minBytes;
  }

  @Override
  public String schema() {
    if (describing) {
      return type.getSimpleName(); // inside itself
    }
    describing = true;
    StringBuilder text = new StringBuilder(type.getSimpleName()).append('(');
    RecordComponent[] described = type.getRecordComponents();
    for (int i = 0; i < codecs.length; i++) {
      text.append(i == 0 ? "" : ",").append(described[i].getName()).append(':');
      text.append(codecs[i].schema());
    }
    describing = false;
    return text.append(')').toString();
  }
}
