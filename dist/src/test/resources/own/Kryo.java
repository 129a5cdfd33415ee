package com.esotericsoftware.kryo;

/// Has the name of a class that the engine needs, and nothing else of it.
public final class Kryo {
  private Kryo() {}

  public static String whose() {
    return "own kryo";
  }
}
