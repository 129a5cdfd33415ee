package io.kiln.base.closure;

import io.kiln.api.spi.KilnObjectOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/// Java serialization that never runs out of stack: what is nested too deeply for this thread ends
/// it by [Nesting.TooDeep]. Used on the thread that made it.
public class WatchedObjectOutputStream extends KilnObjectOutputStream {
  private final Nesting nesting = new Nesting();

  public WatchedObjectOutputStream(OutputStream out) throws IOException {
    super(out);
  }

  @Override
  protected Object replaceObject(Object object) {
    nesting.entered();
    return super.replaceObject(object);
  }
}
