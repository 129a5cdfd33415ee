package io.kiln.api.spi;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.Optional;

/// Java serialization that writes an [Optional] too: outer joins give them, so they are in records
/// and in what functions hold, and by itself an Optional refuses. Any `ObjectInputStream` that
/// finds this class reads it.
///
/// It never runs out of stack: what is nested too deeply for this thread ends it by
/// [Nesting.TooDeep]. Used on the thread that made it.
public class KilnObjectOutputStream extends ObjectOutputStream {

  private final Nesting nesting = new Nesting();

  @SuppressWarnings("this-escape") // it only switches replacing on
  public KilnObjectOutputStream(OutputStream out) throws IOException {
    super(out);
    enableReplaceObject(true);
  }

  @Override
  protected Object replaceObject(Object object) {
    nesting.entered();
    return object instanceof Optional<?> optional
        ? new WrittenOptional(optional.orElse(null))
        : object;
  }

  /// @param value `null` if it is empty
  private record WrittenOptional(Object value) implements Serializable {
    @Serial
    private Object readResolve() {
      return Optional.ofNullable(value);
    }
  }
}
