package io.kiln.network.transport;

import io.kiln.api.KilnException;
import io.kiln.network.codec.WireFormatException;
import io.kiln.network.codec.WireReader;
import io.kiln.network.codec.WireWriter;

/// Errors on their way to whoever asked. What isn't meant for others, a stack trace, stays here.
final class Refusals {
  private static final KilnException.Kind[] KINDS = KilnException.Kind.values();
  private static final int MAX_TEXT = 4096;

  private Refusals() {}

  @SuppressWarnings("EnumOrdinal") // of this protocol version
  static void write(Throwable why, WireWriter out) {
    if (why instanceof KilnException known) {
      out.writeString(known.code());
      out.writeUnsigned(known.kind().ordinal());
    } else {
      out.writeString("ANSWER_FAILED");
      out.writeUnsigned(KilnException.Kind.INTERNAL.ordinal());
    }
    String text = why instanceof KilnException ? why.getMessage() : why.toString();
    out.writeString(text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT));
  }

  static KilnException read(WireReader in) {
    String code = in.readString();
    long kind = in.readUnsigned();
    if (kind < 0 || kind >= KINDS.length) {
      throw new WireFormatException("there is no kind of error " + kind);
    }
    return new KilnException(code, KINDS[(int) kind], in.readString());
  }
}
