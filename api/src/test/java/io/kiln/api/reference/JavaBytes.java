package io.kiln.api.reference;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Optional;

/// Java serialization, there and back, of [Optional] too.
final class JavaBytes {

  private JavaBytes() {}

  /// Stands for an optional in the bytes.
  private record WrittenOptional(Object value) implements Serializable {}

  private static final class Output extends ObjectOutputStream {
    Output(OutputStream out) throws IOException {
      super(out);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object value) {
      return value instanceof Optional<?> optional
          ? new WrittenOptional(optional.orElse(null))
          : value;
    }
  }

  private static final class Input extends ObjectInputStream {
    Input(InputStream in) throws IOException {
      super(in);
      enableResolveObject(true);
    }

    @Override
    protected Object resolveObject(Object value) {
      return value instanceof WrittenOptional(Object held) ? Optional.ofNullable(held) : value;
    }
  }

  static byte[] write(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new Output(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the caller wrote it
  static <T> T read(byte[] bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new Input(new ByteArrayInputStream(bytes))) {
      return (T) in.readObject();
    }
  }
}
