package io.kiln.storage.serializer;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import io.kiln.api.spi.Nesting;
import io.kiln.base.classpath.ApplicationClasses;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objenesis.instantiator.ObjectInstantiator;
import org.objenesis.strategy.StdInstantiatorStrategy;

/// The general library for object graphs of plain user classes, with references, so that shared and
/// cyclic objects stay what they are. Used by one thread at a time.
///
/// Classes for which the library's form would lose something are given to Java serialization inside
/// of the graph.
final class KryoCodec {
  static {
    // without it the library calls memory methods of sun.misc.Unsafe, which the JVM warns about
    System.setProperty("kryo.unsafe", System.getProperty("kryo.unsafe", "false"));
  }

  private static final Set<Class<?>> TRUSTED_JDK_COLLECTIONS =
      Set.of(
          ArrayList.class,
          LinkedList.class,
          ArrayDeque.class,
          HashSet.class,
          LinkedHashSet.class,
          HashMap.class,
          TreeSet.class,
          TreeMap.class,
          Optional.class);

  /// How the library's message begins.
  private static final String MAX_DEPTH_EXCEEDED = "Max depth exceeded";

  private final ConfiguredKryo kryo;
  private final Output output = new Output(512, Integer.MAX_VALUE - 16);

  KryoCodec(ApplicationClasses classes) {
    kryo = new ConfiguredKryo(classes);
  }

  /// @throws KryoException if the graph holds something that neither can write
  /// @throws Nesting.TooDeep if it is nested too deeply for this thread's stack
  void write(Object value, ByteWriter out) {
    output.reset();
    kryo.setMaxDepth(Nesting.objects());
    try {
      kryo.writeClassAndObject(output, value);
    } catch (KryoException e) {
      throw explained(e);
    }
    out.writeUnsignedVarInt(output.position());
    out.writeBytes(output.getBuffer(), 0, output.position());
    if (output.getBuffer().length > 1 << 20) {
      output.setBuffer(new byte[512], Integer.MAX_VALUE - 16);
    }
  }

  /// @throws Nesting.TooDeep if it is nested too deeply for this thread's stack
  Object read(byte[] bytes) {
    kryo.setMaxDepth(Nesting.objects());
    try {
      return kryo.readClassAndObject(new Input(bytes));
    } catch (KryoException e) {
      throw explained(e);
    }
  }

  private static RuntimeException explained(KryoException e) {
    return Nesting.isTooDeep(e) || String.valueOf(e.getMessage()).startsWith(MAX_DEPTH_EXCEEDED)
        ? new Nesting.TooDeep()
        : e;
  }

  @SuppressWarnings({"rawtypes", "unchecked"}) // the library's own signatures are raw
  private static final class ConfiguredKryo extends Kryo {
    private final ApplicationClasses classes;
    private final StdInstantiatorStrategy withoutConstructor = new StdInstantiatorStrategy();

    ConfiguredKryo(ApplicationClasses classes) {
      this.classes = classes;
      setClassLoader(classes.loader());
      setRegistrationRequired(false);
      setReferences(true);
      setInstantiatorStrategy(new DefaultInstantiatorStrategy(withoutConstructor));
    }

    /// A user's object is not constructed but restored, as Java serialization does.
    @Override
    protected ObjectInstantiator<?> newInstantiator(Class type) {
      return ClassEncoding.isOfJdk(type)
          ? super.newInstantiator(type)
          : withoutConstructor.newInstantiatorOf(type);
    }

    @Override
    public boolean isClosure(Class type) {
      return false;
    }

    @Override
    public Serializer<?> getDefaultSerializer(Class type) {
      if (type.isHidden()) {
        throw new KryoException("class " + type.getName() + " has no name to find it by");
      }
      if (isTrusted(type)) {
        return super.getDefaultSerializer(type);
      }
      if (type.isRecord() && !ClassEncoding.hasOwnJavaForm(type)) {
        Optional<RecordShape> shape = RecordShape.of(type);
        if (shape.isPresent()) {
          return new RecordSerializer(shape.get());
        }
      }
      if (ClassEncoding.isPlain(type)) {
        return super.getDefaultSerializer(type);
      }
      if (Serializable.class.isAssignableFrom(type)) {
        return new JavaSerializer(classes);
      }
      throw new KryoException("class " + type.getName() + " can't be serialised");
    }

    private static boolean isTrusted(Class<?> type) {
      if (type.isPrimitive()
          || type.isArray()
          || Enum.class.isAssignableFrom(type)
          || type == Class.class) {
        return true;
      }
      return TRUSTED_JDK_COLLECTIONS.contains(type)
          || (ClassEncoding.isOfJdk(type)
              && ClassEncoding.of(type, SerializerChoice.KILN).tag() <= Tag.LAST_SIMPLE);
    }
  }

  private static final class RecordSerializer extends Serializer<Object> {
    private final RecordShape shape;

    RecordSerializer(RecordShape shape) {
      this.shape = shape;
    }

    @Override
    public void write(Kryo kryo, Output output, Object value) {
      for (int i = 0; i < shape.size(); i++) {
        kryo.writeClassAndObject(output, shape.get(value, i));
      }
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
      Object[] components = new Object[shape.size()];
      for (int i = 0; i < components.length; i++) {
        components[i] = kryo.readClassAndObject(input);
      }
      return shape.create(components);
    }
  }

  private static final class JavaSerializer extends Serializer<Object> {
    private final ApplicationClasses classes;

    JavaSerializer(ApplicationClasses classes) {
      this.classes = classes;
    }

    @Override
    public void write(Kryo kryo, Output output, Object value) {
      try {
        byte[] bytes = JavaCodec.write(value);
        output.writeVarInt(bytes.length, true);
        output.writeBytes(bytes);
      } catch (IOException e) {
        throw new KryoException(e);
      }
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
      try {
        return JavaCodec.read(input.readBytes(input.readVarInt(true)), classes);
      } catch (IOException e) {
        throw new KryoException(e);
      }
    }
  }
}
