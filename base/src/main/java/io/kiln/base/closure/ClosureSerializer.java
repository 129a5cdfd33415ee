package io.kiln.base.closure;

import io.kiln.api.KilnException;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.api.spi.KilnObjectOutputStream;
import io.kiln.api.spi.Nesting;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.closure.ProgramVariables.Variable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.invoke.SerializedLambda;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/// A stage's functions and lineage to bytes and back, by Java serialization. Stateless;
/// thread-safe.
///
/// Java serialization recurses: a lineage of 10,000 narrow operators, or a long linked list in a
/// closure, exhausts an ordinary stack. What doesn't fit on the caller's stack is done once more on
/// a large one ([Nesting]), and is read on a large one at once; what doesn't fit there either gets
/// an error that says so.
public final class ClosureSerializer {
  /// Code of the error when something can't be written.
  public static final String NOT_SERIALIZABLE = "CLOSURE_NOT_SERIALIZABLE";

  /// Code of the error when something can't be read.
  public static final String NOT_RESTORABLE = "CLOSURE_NOT_RESTORABLE";

  /// Code of the error when something is linked too deeply to be written or read.
  public static final String TOO_DEEP = "CLOSURE_TOO_DEEP";

  /// The first byte: whether an ordinary stack was enough to write what follows.
  private static final byte SHALLOW = 0;

  private static final byte DEEP = 1;

  /// Opens the stream that an object is written to.
  @FunctionalInterface
  private interface Opening {
    ObjectOutputStream open(OutputStream bytes) throws IOException;
  }

  private ClosureSerializer() {}

  /// @throws KilnException `CLOSURE_NOT_SERIALIZABLE`, naming the class; the path of fields to it
  ///     is for the driver's inspector to find
  public static byte[] serialize(Object root) {
    return serialize(root, Nesting.LARGE_STACK_BYTES);
  }

  static byte[] serialize(Object root, long largeStackBytes) {
    return serialize(root, largeStackBytes, KilnObjectOutputStream::new);
  }

  /// The same, and with it the values that the variables have which the object's code uses.
  ///
  /// @throws KilnException `CLOSURE_NOT_SERIALIZABLE`
  public static byte[] serialize(Object root, ProgramVariables variables) {
    Set<Class<?>> classes = new HashSet<>();
    List<SerializedLambda> functions = new ArrayList<>();
    byte[] bytes =
        serialize(
            root, Nesting.LARGE_STACK_BYTES, out -> new WitnessStream(out, classes, functions));
    List<Variable> used = variables.usedBy(functions, classes);
    return used.isEmpty() ? bytes : serialize(WithVariables.of(used, bytes));
  }

  /// What all tasks of a process find, rather than each holds a copy of.
  ///
  /// @throws KilnException `CLOSURE_NOT_SERIALIZABLE`; `ACCUMULATOR_IN_VARIABLE` if what tasks add
  ///     to it would be lost
  static byte[] serializeVariable(Object value) {
    return serialize(value, Nesting.LARGE_STACK_BYTES, VariableStream::new);
  }

  private static byte[] serialize(Object root, long largeStackBytes, Opening opening) {
    try {
      return call(() -> write(root, SHALLOW, opening), "written");
    } catch (Nesting.TooDeep | StackOverflowError e) {
      return onLargeStack(() -> write(root, DEEP, opening), "written", largeStackBytes);
    }
  }

  /// For what need not be written: no more is built up than may be used.
  ///
  /// @return empty if it takes more bytes than that, or nests too deeply
  /// @throws KilnException `CLOSURE_NOT_SERIALIZABLE`
  public static Optional<byte[]> serializeWithin(int maxBytes, Object root) {
    try {
      return Optional.of(
          write(root, SHALLOW, KilnObjectOutputStream::new, new BoundedBytes(maxBytes)));
    } catch (BoundedBytes.Exceeded | Nesting.TooDeep | StackOverflowError e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new KilnException(
          NOT_SERIALIZABLE, KilnException.Kind.APPLICATION, "a value can't be written: " + e, e);
    }
  }

  /// A new copy.
  ///
  /// @throws KilnException `CLOSURE_NOT_RESTORABLE`, naming the class that is missing
  public static Object deserialize(byte[] bytes, ApplicationClasses classes) {
    if (bytes[0] == SHALLOW) {
      try {
        return call(() -> read(bytes, classes), "read");
      } catch (Nesting.TooDeep | StackOverflowError e) {
        // this thread's stack is smaller than the writer's was
      }
    }
    return onLargeStack(() -> read(bytes, classes), "read", Nesting.LARGE_STACK_BYTES);
  }

  private static byte[] write(Object root, byte depth, Opening opening) throws IOException {
    return write(root, depth, opening, new ByteArrayOutputStream(1024));
  }

  private static byte[] write(Object root, byte depth, Opening opening, ByteArrayOutputStream bytes)
      throws IOException {
    bytes.write(depth);
    try (ObjectOutputStream out = opening.open(bytes)) {
      out.writeObject(root);
    } catch (NotSerializableException e) {
      throw new KilnException(
          NOT_SERIALIZABLE,
          KilnException.Kind.USER,
          "an object of class "
              + e.getMessage()
              + " is needed by a task, but it is not serializable; make the field that holds it"
              + " transient, or create it inside the function",
          e);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes, ApplicationClasses classes) throws IOException {
    try (ObjectInputStream in =
        classes.objects(new ByteArrayInputStream(bytes, 1, bytes.length - 1))) {
      Nesting.watch(in);
      Object root = in.readObject();
      return root instanceof WithVariables saved ? saved.restore(classes) : root;
    } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
      if (Nesting.isTooDeep(e)) {
        throw new Nesting.TooDeep();
      }
      throw RestoreFailure.explain(e, classes.context());
    }
  }

  private static <T> T onLargeStack(Callable<T> work, String verb, long stackBytes) {
    try {
      return Nesting.onLargeStack(() -> call(work, verb), stackBytes);
    } catch (Nesting.TooDeep e) {
      throw new KilnException(
          TOO_DEEP,
          KilnException.Kind.USER,
          "a lineage or closure is linked too deeply to be "
              + verb
              + "; shorten the lineage with checkpoint() or localCheckpoint(), or keep the linked"
              + " structure in an array",
          e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e); // what is called throws none
    }
  }

  private static <T> T call(Callable<T> work, String verb) {
    try {
      return work.call();
    } catch (KilnException | Nesting.TooDeep e) {
      throw e;
    } catch (Exception e) {
      throw new KilnException(
          verb.equals("read") ? NOT_RESTORABLE : NOT_SERIALIZABLE,
          KilnException.Kind.APPLICATION,
          "a function or record can't be " + verb + ": " + e,
          e);
    }
  }

  /// Takes so many bytes and no more.
  private static final class BoundedBytes extends ByteArrayOutputStream {
    private final int maxBytes;

    BoundedBytes(int maxBytes) {
      super(Math.min(maxBytes, 1024));
      this.maxBytes = maxBytes;
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      if (length > maxBytes - count) {
        throw new Exceeded();
      }
      super.write(bytes, offset, length);
    }

    @Override
    public synchronized void write(int value) {
      if (count == maxBytes) {
        throw new Exceeded();
      }
      super.write(value);
    }

    private static final class Exceeded extends RuntimeException {
      private static final long serialVersionUID = 1L;

      Exceeded() {
        super(null, null, false, false);
      }
    }
  }

  /// Refuses accumulators that would not ask for the task's copy when a task adds to them.
  private static final class VariableStream extends KilnObjectOutputStream {
    VariableStream(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected Object replaceObject(Object object) {
      if (object instanceof Accumulator<?, ?> accumulator && !accumulator.asksForTask()) {
        throw new KilnException(
            "ACCUMULATOR_IN_VARIABLE",
            KilnException.Kind.USER,
            "it holds an accumulator of "
                + object.getClass()
                + ", and what tasks add to that would be lost; give it to a method as a parameter,"
                + " and let the task's function use the parameter");
      }
      return super.replaceObject(object);
    }
  }

  /// Takes down what code the objects that pass through it have.
  private static final class WitnessStream extends KilnObjectOutputStream {
    private final Set<Class<?>> classes;
    private final List<SerializedLambda> functions;

    WitnessStream(OutputStream out, Set<Class<?>> classes, List<SerializedLambda> functions)
        throws IOException {
      super(out);
      this.classes = classes;
      this.functions = functions;
    }

    @Override
    protected void annotateClass(Class<?> described) {
      classes.add(described);
    }

    @Override
    protected Object replaceObject(Object object) {
      if (object instanceof SerializedLambda function) {
        functions.add(function);
      }
      return super.replaceObject(object);
    }
  }
}
