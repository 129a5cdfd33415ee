package io.kiln.files;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.xxhash.XXHashFactory;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/// The streams of each [Compression]. Apart from it, so that the libraries are loaded only once a
/// compressed file is met.
final class CompressionStreams {
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final byte[] LZ4_FRAME_MAGIC = {0x04, 0x22, 0x4D, 0x18};

  private CompressionStreams() {}

  static InputStream decompress(Compression compression, BufferedInputStream in)
      throws IOException {
    return switch (compression) {
      case GZIP -> new GZIPInputStream(in, BUFFER_BYTES);
      case DEFLATE -> new InflaterInputStream(in);
      case BZIP2 -> new BZip2CompressorInputStream(in, true);
      case ZSTD -> new ZstdInputStream(in);
      case LZ4 -> startsLikeLz4Frame(in) ? readFrames(in) : new HadoopLz4InputStream(in);
    };
  }

  static OutputStream compress(Compression compression, OutputStream out) throws IOException {
    return switch (compression) {
      case GZIP -> new GZIPOutputStream(out, BUFFER_BYTES);
      case DEFLATE -> new DeflaterOutputStream(out);
      case BZIP2 -> new BZip2CompressorOutputStream(out);
      case ZSTD -> new ZstdOutputStream(out);
      case LZ4 -> writeFrame(out);
    };
  }

  private static boolean startsLikeLz4Frame(InputStream in) throws IOException {
    in.mark(LZ4_FRAME_MAGIC.length);
    byte[] first = in.readNBytes(LZ4_FRAME_MAGIC.length);
    in.reset();
    return Arrays.equals(first, LZ4_FRAME_MAGIC);
  }

  private static InputStream readFrames(InputStream in) throws IOException {
    return new LZ4FrameInputStream(
        in, LZ4Factory.safeInstance().safeDecompressor(), XXHashFactory.safeInstance().hash32());
  }

  private static OutputStream writeFrame(OutputStream out) throws IOException {
    return new LZ4FrameOutputStream(
        out,
        LZ4FrameOutputStream.BLOCKSIZE.SIZE_256KB,
        -1,
        LZ4Factory.safeInstance().fastCompressor(),
        XXHashFactory.safeInstance().hash32(),
        LZ4FrameOutputStream.FLG.Bits.BLOCK_INDEPENDENCE);
  }
}
