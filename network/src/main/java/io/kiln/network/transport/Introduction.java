package io.kiln.network.transport;

import io.kiln.network.codec.WireFormatException;
import io.kiln.network.codec.WireReader;
import io.kiln.network.codec.WireWriter;
import io.kiln.network.security.Proof;

/// The first frame in each direction. The client's goes first; a server that doesn't believe its
/// proof says nothing at all. The layout up to the name of the process is the same for all
/// versions, so that any two can tell each other why they don't work together.
///
/// @param proof of the sender's side, all zero where there is no secret
/// @param protocolVersion of what follows
/// @param registry the fingerprint of the sender's message types
/// @param purpose what the connection is for; the server repeats it
record Introduction(byte[] proof, int protocolVersion, long registry, Purpose purpose, Peer peer) {
  static final int PROTOCOL_VERSION = 1;
  static final int MAX_BYTES = 1024;
  static final byte[] NO_PROOF = new byte[Proof.BYTES];

  private static final int MAGIC = 0x4B494C4E; // "KILN"

  enum Purpose {
    MESSAGES,
    STREAMS
  }

  @SuppressWarnings("EnumOrdinal") // of this protocol version
  byte[] toBytes() {
    WireWriter out = new WireWriter(128);
    out.writeFixedInt(MAGIC);
    out.writeRaw(proof, 0, Proof.BYTES);
    out.writeUnsigned(protocolVersion);
    out.writeString(peer.engineVersion());
    out.writeString(peer.process());
    out.writeFixedLong(registry);
    out.writeByte(purpose.ordinal());
    out.writeSigned(peer.incarnation());
    return out.toByteArray();
  }

  /// @throws WireFormatException if the bytes are none
  static Introduction of(byte[] bytes) {
    WireReader in = new WireReader(bytes, 0, bytes.length, 1);
    if (in.readFixedInt() != MAGIC) {
      throw new WireFormatException("it does not begin as Kiln's do");
    }
    byte[] proof = in.readRaw(Proof.BYTES);
    int version = Math.clamp(in.readUnsigned(), 0, Integer.MAX_VALUE);
    String engineVersion = name(in);
    String process = name(in);
    if (version != PROTOCOL_VERSION) {
      return new Introduction(
          proof, version, 0, Purpose.MESSAGES, new Peer(process, 0, engineVersion));
    }
    long registry = in.readFixedLong();
    int purpose = in.readByte();
    if (purpose < 0 || purpose >= Purpose.values().length) {
      throw new WireFormatException("there is no purpose " + purpose);
    }
    Peer peer = new Peer(process, in.readSigned(), engineVersion);
    in.requireEnd();
    return new Introduction(proof, version, registry, Purpose.values()[purpose], peer);
  }

  /// A text that goes into the log, and must not write lines of its own there.
  private static String name(WireReader in) {
    String text = in.readString();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        throw new WireFormatException("a name in it is not of plain letters");
      }
    }
    return text;
  }

  /// Why this side can't work with the other; empty if it can.
  String mismatchWith(Introduction other) {
    if (other.protocolVersion != protocolVersion) {
      return "it speaks protocol "
          + other.protocolVersion
          + " (Kiln "
          + other.peer.engineVersion()
          + "), this side protocol "
          + protocolVersion
          + " (Kiln "
          + peer.engineVersion()
          + "); use one version on both sides";
    }
    if (other.registry != registry) {
      return "it is Kiln "
          + other.peer.engineVersion()
          + " and its messages differ from those of this side's Kiln "
          + peer.engineVersion()
          + "; use one build on both sides";
    }
    return "";
  }
}
