package io.kiln.storage.remote;

import io.kiln.network.codec.WireFormatException;
import io.kiln.network.codec.WireReader;
import io.kiln.network.codec.WireWriter;
import io.kiln.storage.compression.CompressionCodec;

/// What a broadcast's value was cut into by its owner.
///
/// @param codec of the frames in the pieces
/// @param checksums CRC32C of each piece; nobody changes it
record BroadcastLayout(CompressionCodec codec, int[] checksums) {
  private static final CompressionCodec[] CODECS = CompressionCodec.values();

  int pieces() {
    return checksums.length;
  }

  @SuppressWarnings("EnumOrdinal") // of this protocol version
  byte[] encode() {
    WireWriter out = new WireWriter(16 + Integer.BYTES * checksums.length);
    out.writeByte(codec.ordinal());
    out.writeUnsigned(checksums.length);
    for (int checksum : checksums) {
      out.writeFixedInt(checksum);
    }
    return out.toByteArray();
  }

  /// @throws WireFormatException if the bytes are none
  static BroadcastLayout decode(byte[] bytes) {
    WireReader in = new WireReader(bytes, 0, bytes.length, 1);
    int codec = in.readByte();
    if (codec < 0 || codec >= CODECS.length) {
      throw new WireFormatException("there is no codec " + codec);
    }
    int[] checksums = new int[in.readCount(Integer.BYTES)];
    for (int i = 0; i < checksums.length; i++) {
      checksums[i] = in.readFixedInt();
    }
    in.requireEnd();
    return new BroadcastLayout(CODECS[codec], checksums);
  }
}
