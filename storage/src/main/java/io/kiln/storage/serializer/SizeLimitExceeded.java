package io.kiln.storage.serializer;

/// Something needs more bytes, serialised, than it may. Trying again gives the same.
public final class SizeLimitExceeded extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SizeLimitExceeded(long maxBytes) {
    this("it needs more than " + maxBytes + " bytes");
  }

  private SizeLimitExceeded(String message) {
    super(message);
  }

  /// An array holds no more.
  static SizeLimitExceeded recordTooLarge() {
    return new SizeLimitExceeded(
        "a record has more than 2 GiB when it is serialised, which none may have; make several"
            + " smaller records of it, for example by not grouping so many values under one key");
  }
}
