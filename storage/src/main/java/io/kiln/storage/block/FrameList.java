package io.kiln.storage.block;

import io.kiln.storage.compression.FrameEncoder;
import io.kiln.storage.compression.FrameFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Collects encoded frames. Used by one thread.
final class FrameList implements FrameEncoder.Target {
  final List<byte[]> pieces = new ArrayList<>();
  long bytes;

  @Override
  public void write(byte[] encoded, int offset, int length) {
    pieces.add(Arrays.copyOfRange(encoded, offset, offset + length));
    bytes += length;
  }

  BlockContent.Frames toContent(FrameFormat format) {
    return new BlockContent.Frames(List.copyOf(pieces), bytes, format);
  }
}
