package io.kiln.storage.serializer;

import io.kiln.base.classpath.ApplicationClasses;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Optional;

/// Java serialization, with the application's classes. An [Optional], which outer joins give, is
/// written as its value: by itself it refuses Java serialization.
final class JavaCodec {

  private JavaCodec() {}

  static byte[] write(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    write(value, bytes);
    return bytes.toByteArray();
  }

  static void write(Object value, OutputStream target) throws IOException {
    try (ObjectOutputStream out = new ReplacingStream(target)) {
      out.writeObject(value);
    }
  }

  static Object read(byte[] bytes, ApplicationClasses classes) throws IOException {
    return read(new ByteArrayInputStream(bytes), classes);
  }

  static Object read(InputStream source, ApplicationClasses classes) throws IOException {
    try (ObjectInputStream in = classes.objects(source)) {
      return in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException("class " + e.getMessage() + " is not known here", e);
    }
  }

  private static final class ReplacingStream extends ObjectOutputStream {
    ReplacingStream(OutputStream out) throws IOException {
      super(out);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      return object instanceof Optional<?> optional
          ? new WrittenOptional(optional.orElse(null))
          : object;
    }
  }

  /// @param value `null` if it is empty
  private record WrittenOptional(Object value) implements Serializable {
    private Object readResolve() {
      return Optional.ofNullable(value);
    }
  }
}
