package io.kiln.storage.serializer;

/// Something needs more bytes than it may.
public final class SizeLimitExceeded extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SizeLimitExceeded(long maxBytes) {
    super("it needs more than " + maxBytes + " bytes");
  }
}
