package io.kiln.storage.remote;

import io.kiln.protocol.BlockId.BroadcastPiece;
import io.kiln.storage.block.BlockStore;
import io.kiln.storage.compression.FrameEncoder;
import io.kiln.storage.compression.FrameFormat;
import io.kiln.storage.compression.FrameKey;
import io.kiln.storage.serializer.ByteWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/// Cuts a serialised value into pieces of whole frames and keeps them as blocks. Used by one
/// thread, once.
final class BroadcastCutter implements ByteWriter.Drain, FrameEncoder.Target {
  private static final int MAX_FRAME_BYTES = 256 << 10;
  private static final int MIN_FRAME_BYTES = 1 << 10;

  private final BlockStore blocks;
  private final long id;
  private final BroadcastOptions options;
  private final FrameEncoder encoder;
  private final List<byte[]> piece = new ArrayList<>();
  private final List<Integer> checksums = new ArrayList<>();
  private long pieceBytes;

  BroadcastCutter(BlockStore blocks, long id, BroadcastOptions options, FrameKey key) {
    this.blocks = blocks;
    this.id = id;
    this.options = options;
    this.encoder = new FrameEncoder(new FrameFormat(options.codec(), key));
  }

  /// How much to drain at a time.
  int frameBytes() {
    return Math.clamp(options.pieceBytes(), MIN_FRAME_BYTES, MAX_FRAME_BYTES);
  }

  @Override
  public void drain(byte[] bytes, int length) throws IOException {
    if (pieceBytes > 0 && pieceBytes + length > options.pieceBytes()) {
      endPiece();
    }
    encoder.encode(bytes, 0, length, this);
  }

  @Override
  public void write(byte[] encoded, int offset, int length) {
    piece.add(Arrays.copyOfRange(encoded, offset, offset + length));
    pieceBytes += length;
  }

  private void endPiece() throws IOException {
    CRC32C crc = new CRC32C();
    piece.forEach(crc::update);
    blocks.putFrames(new BroadcastPiece(id, checksums.size()), piece);
    checksums.add((int) crc.getValue());
    piece.clear();
    pieceBytes = 0;
  }

  BroadcastLayout end() throws IOException {
    if (pieceBytes > 0) {
      endPiece();
    }
    return new BroadcastLayout(
        options.codec(), checksums.stream().mapToInt(Integer::intValue).toArray());
  }
}
