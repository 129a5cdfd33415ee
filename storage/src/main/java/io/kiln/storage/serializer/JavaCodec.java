package io.kiln.storage.serializer;

import io.kiln.api.spi.KilnObjectOutputStream;
import io.kiln.api.spi.Nesting;
import io.kiln.base.classpath.ApplicationClasses;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.concurrent.Callable;

/// Java serialization, with the application's classes. What is nested too deeply for the caller's
/// stack is written and read on a large one.
final class JavaCodec {

  private JavaCodec() {}

  /// @throws NotSerializableException also if it is nested too deeply for a large stack
  static byte[] write(Object value) throws IOException {
    return deepEnough(
        () -> {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
          writeHere(value, bytes);
          return bytes.toByteArray();
        });
  }

  /// Writes as it goes, so that it can't be done once more: on a large stack at once.
  ///
  /// @throws NotSerializableException also if it is nested too deeply for a large stack
  static void write(Object value, OutputStream target) throws IOException {
    boolean _ =
        deepEnough(
            () ->
                Nesting.onLargeStack(
                    () -> {
                      writeHere(value, target);
                      return true;
                    }));
  }

  private static void writeHere(Object value, OutputStream target) throws IOException {
    try (ObjectOutputStream out = new KilnObjectOutputStream(target)) {
      out.writeObject(value);
    }
  }

  static Object read(byte[] bytes, ApplicationClasses classes) throws IOException {
    return deepEnough(() -> readHere(new ByteArrayInputStream(bytes), classes));
  }

  /// On a large stack, as what is read can't be read again.
  static Object read(InputStream source, ApplicationClasses classes) throws IOException {
    return deepEnough(() -> Nesting.onLargeStack(() -> readHere(source, classes)));
  }

  private static Object readHere(InputStream source, ApplicationClasses classes)
      throws IOException {
    try (ObjectInputStream in = classes.objects(source)) {
      Nesting.watch(in);
      return in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException("class " + e.getMessage() + " is not known here", e);
    }
  }

  private static <T> T deepEnough(Callable<T> work) throws IOException {
    try {
      return Nesting.call(work);
    } catch (IOException | RuntimeException e) {
      if (Nesting.isTooDeep(e)) {
        throw new NotSerializableException(new Nesting.TooDeep().getMessage());
      }
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e); // the work throws no other
    }
  }
}
