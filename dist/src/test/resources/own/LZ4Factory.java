package net.jpountz.lz4;

import java.io.Serializable;

/// Has the name of a class that the engine needs, and nothing else of it.
public final class LZ4Factory implements Serializable {
  private static final long serialVersionUID = 1;
  private final String text;

  public LZ4Factory(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return "own " + text;
  }
}
