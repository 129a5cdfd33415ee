package io.kiln.storage.compression;

import com.github.luben.zstd.Zstd;
import io.kiln.api.KilnException;
import java.io.IOException;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/// The compressors, each loaded when first needed: a job that writes little never loads one.
final class Compressors {

  private Compressors() {}

  static BlockCompressor of(CompressionCodec codec) {
    return switch (codec) {
      case NONE -> throw new IllegalStateException("nothing to compress with");
      case LZ4 -> Lz4.INSTANCE;
      case ZSTD -> Zstandard.INSTANCE;
    };
  }

  /// Native code where the JVM allows it to this library, else plain Java: 3 to 5 times slower, but
  /// without a warning on the console.
  private static final class Lz4 implements BlockCompressor {
    static final Lz4 INSTANCE = new Lz4();

    private final LZ4Compressor compressor;
    private final LZ4SafeDecompressor decompressor;

    private Lz4() {
      LZ4Factory factory =
          LZ4Factory.class.getModule().isNativeAccessEnabled()
              ? LZ4Factory.fastestInstance()
              : LZ4Factory.safeInstance();
      compressor = factory.fastCompressor();
      decompressor = factory.safeDecompressor();
    }

    @Override
    public int maxCompressedLength(int length) {
      return compressor.maxCompressedLength(length);
    }

    @Override
    public int compress(byte[] source, int offset, int length, byte[] target, int targetOffset) {
      return compressor.compress(
          source, offset, length, target, targetOffset, target.length - targetOffset);
    }

    @Override
    public void decompress(
        byte[] source, int offset, int length, byte[] target, int targetOffset, int targetLength)
        throws IOException {
      try {
        int got =
            decompressor.decompress(source, offset, length, target, targetOffset, targetLength);
        if (got != targetLength) {
          throw new IOException("lz4 gave " + got + " bytes, not " + targetLength);
        }
      } catch (LZ4Exception e) {
        throw new IOException("lz4 can't read what was stored: " + e.getMessage(), e);
      }
    }
  }

  private static final class Zstandard implements BlockCompressor {
    private static final int LEVEL = 1;
    static final Zstandard INSTANCE = new Zstandard();

    @Override
    public int maxCompressedLength(int length) {
      return Math.toIntExact(Zstd.compressBound(length));
    }

    @Override
    public int compress(byte[] source, int offset, int length, byte[] target, int targetOffset) {
      long size =
          Zstd.compressByteArray(
              target, targetOffset, target.length - targetOffset, source, offset, length, LEVEL);
      if (Zstd.isError(size)) {
        throw new KilnException(
            "COMPRESSION_FAILED",
            KilnException.Kind.INTERNAL,
            "zstd can't compress: " + Zstd.getErrorName(size));
      }
      return Math.toIntExact(size);
    }

    @Override
    public void decompress(
        byte[] source, int offset, int length, byte[] target, int targetOffset, int targetLength)
        throws IOException {
      long size =
          Zstd.decompressByteArray(target, targetOffset, targetLength, source, offset, length);
      if (Zstd.isError(size) || size != targetLength) {
        throw new IOException("zstd can't read what was stored");
      }
    }
  }
}
