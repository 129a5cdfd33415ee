package io.kiln.storage.serializer;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.reflect.Proxy;
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

  static Object read(byte[] bytes, ClassLoader loader) throws IOException {
    return read(new ByteArrayInputStream(bytes), loader);
  }

  static Object read(InputStream source, ClassLoader loader) throws IOException {
    try (ObjectInputStream in = new LoadingStream(source, loader)) {
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

  /// Finds classes by the given loader first.
  private static final class LoadingStream extends ObjectInputStream {
    private final ClassLoader loader;

    LoadingStream(InputStream in, ClassLoader loader) throws IOException {
      super(in);
      this.loader = loader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(description.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description);
      }
    }

    @Override
    @SuppressWarnings("deprecation") // the only way to make a proxy class from its interfaces
    protected Class<?> resolveProxyClass(String[] names)
        throws IOException, ClassNotFoundException {
      Class<?>[] interfaces = new Class<?>[names.length];
      for (int i = 0; i < names.length; i++) {
        interfaces[i] = Class.forName(names[i], false, loader);
      }
      try {
        return Proxy.getProxyClass(loader, interfaces);
      } catch (IllegalArgumentException e) {
        return super.resolveProxyClass(names);
      }
    }
  }
}
