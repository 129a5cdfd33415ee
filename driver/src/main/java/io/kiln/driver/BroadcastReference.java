package io.kiln.driver;

import java.io.Serial;
import java.io.Serializable;

/// A broadcast as it travels in a serialised function: found again by its name, not copied.
record BroadcastReference(String applicationId, long id) implements Serializable {

  @Serial
  private Object readResolve() {
    return Broadcasts.find(applicationId, id);
  }
}
