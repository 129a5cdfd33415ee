package io.kiln.network.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;

/// Reads and writes the components of one type of record, in order.
final class RecordFields implements ValueCodec<Object> {
  private final Class<?> type;
  private MethodHandle[] accessors;
  private MethodHandle constructor;
  private ValueCodec<Object>[] codecs;
  private int minBytes;
  private boolean measuring;
  private boolean describing;

  /// Not complete before [#complete]: a record may contain itself.
  RecordFields(Class<?> type) {
    this.type = type;
  }

  void complete(ValueCodec<Object>[] components, MethodHandles.Lookup lookup) {
    RecordComponent[] described = type.getRecordComponents();
    try {
      MethodHandles.Lookup inside = MethodHandles.privateLookupIn(type, lookup);
      accessors = new MethodHandle[described.length];
      Class<?>[] parameters = new Class<?>[described.length];
      for (int i = 0; i < described.length; i++) {
        parameters[i] = described[i].getType();
        accessors[i] =
            inside
                .unreflect(described[i].getAccessor())
                .asType(MethodType.methodType(Object.class, Object.class));
      }
      constructor =
          inside
              .findConstructor(type, MethodType.methodType(void.class, parameters))
              .asSpreader(Object[].class, parameters.length)
              .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(type.getName() + " can't be read or made", e);
    }
    codecs = components;
  }

  @Override
  public void write(Object value, WireWriter out) {
    try {
      for (int i = 0; i < codecs.length; i++) {
        codecs[i].write((Object) accessors[i].invokeExact(value), out);
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
    try {
      return (Object) constructor.invokeExact(values);
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
