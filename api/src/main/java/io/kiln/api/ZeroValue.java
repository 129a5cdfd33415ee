package io.kiln.api;

import io.kiln.api.spi.KilnObjectOutputStream;
import io.kiln.api.spi.LoaderObjectInputStream;
import io.kiln.api.spi.Nesting;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;

/// What a sum starts with. A mutable one is serialised once, and each sum starts with a copy of its
/// own; one that can't change is shared.
final class ZeroValue<U> implements Serializable {
  private final Object shared;
  private final byte[] serialised;

  private ZeroValue(Object shared, byte[] serialised) {
    this.shared = shared;
    this.serialised = serialised;
  }

  /// @param operation for the message
  /// @throws KilnException `ZERO_VALUE_NOT_SERIALIZABLE`
  static <U> ZeroValue<U> of(U zero, String operation) {
    if (isImmutable(zero)) {
      return new ZeroValue<>(zero, null);
    }
    try {
      return new ZeroValue<>(null, Nesting.call(() -> written(zero)));
    } catch (Nesting.TooDeep e) {
      throw tooDeep(e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new KilnException(
          "ZERO_VALUE_NOT_SERIALIZABLE",
          KilnException.Kind.USER,
          "the zero value of %s can't be serialised: %s; make its class Serializable"
              .formatted(operation, e.getMessage()),
          e);
    }
  }

  private static byte[] written(Object zero) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new KilnObjectOutputStream(bytes)) {
      out.writeObject(zero);
    }
    return bytes.toByteArray();
  }

  private static KilnException tooDeep(Nesting.TooDeep e) {
    return new KilnException(
        "ZERO_VALUE_TOO_DEEP",
        KilnException.Kind.USER,
        "a zero value is nested too deeply to be copied for each sum; keep what it links in an"
            + " array or a list",
        e);
  }

  private static boolean isImmutable(Object zero) {
    return switch (zero) {
      case null -> true;
      case Integer _, Long _, Double _, Float _, Short _, Byte _, Boolean _, Character _ -> true;
      case String _, BigInteger _, BigDecimal _, Enum<?> _ -> true;
      default -> false;
    };
  }

  /// A value that nobody else has, or that nobody can change.
  @SuppressWarnings("unchecked") // made of a U
  U fresh() {
    if (serialised == null) {
      return (U) shared;
    }
    try {
      return (U) Nesting.call(this::read);
    } catch (Nesting.TooDeep e) {
      throw tooDeep(e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new KilnException(
          "ZERO_VALUE_NOT_DESERIALIZABLE",
          KilnException.Kind.APPLICATION,
          "a zero value can't be read back: %s; check its class".formatted(e),
          e);
    }
  }

  private Object read() throws IOException, ClassNotFoundException {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try (ObjectInputStream in =
        new LoaderObjectInputStream(new ByteArrayInputStream(serialised), loader, loader)) {
      Nesting.watch(in);
      return in.readObject();
    } catch (IOException | RuntimeException e) {
      if (Nesting.isTooDeep(e)) {
        throw new Nesting.TooDeep(); // the stream wraps what its filter throws
      }
      throw e;
    }
  }
}
