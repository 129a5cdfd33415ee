package io.kiln.network.codec;

/// Bytes that are no message of this protocol. Whoever sent them is not to be believed any more:
/// the connection they came by is closed. Never leaves the network.
public final class WireFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WireFormatException(String why) {
    super("a message could not be read: " + why);
  }
}
