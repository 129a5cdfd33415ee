package io.kiln.network.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/// Bytes to be sent, as many as announced.
public sealed interface Content {
  long lengthBytes();

  /// A part of a file.
  record FilePart(Path file, long offsetBytes, long lengthBytes) {
    public FilePart {
      if (offsetBytes < 0 || lengthBytes < 0) {
        throw new IllegalArgumentException(
            "bytes " + offsetBytes + "+" + lengthBytes + " of a file");
      }
    }
  }

  /// Parts of files, one after the other, read while they are sent; without encryption they never
  /// enter this process.
  record OfFiles(List<FilePart> parts) implements Content {
    public OfFiles {
      parts = List.copyOf(parts);
    }

    public static OfFiles of(Path file, long offsetBytes, long lengthBytes) {
      return new OfFiles(List.of(new FilePart(file, offsetBytes, lengthBytes)));
    }

    @Override
    public long lengthBytes() {
      return parts.stream().mapToLong(FilePart::lengthBytes).sum();
    }
  }

  /// What is in memory. Nobody changes it any more; positions of the buffers don't matter to the
  /// sender's others.
  record OfBytes(List<ByteBuffer> parts) implements Content {
    public OfBytes {
      parts = List.copyOf(parts);
    }

    public static OfBytes of(byte[] bytes) {
      return new OfBytes(List.of(ByteBuffer.wrap(bytes)));
    }

    @Override
    public long lengthBytes() {
      return parts.stream().mapToLong(ByteBuffer::remaining).sum();
    }
  }

  /// Contents of any kind one after the other, each made when its turn comes: what is large never
  /// is there as a whole.
  ///
  /// @param lengthBytes of all pieces together
  record OfPieces(long lengthBytes, Pieces pieces) implements Content {
    public static OfPieces of(List<? extends Content> parts) {
      Iterator<? extends Content> rest = List.copyOf(parts).iterator();
      return new OfPieces(parts.stream().mapToLong(Content::lengthBytes).sum(), rest::next);
    }
  }

  /// Makes a content's pieces. Used by one thread, a virtual one; may block.
  interface Pieces extends AutoCloseable {
    /// Called until the pieces have the announced length.
    ///
    /// @throws IOException if there can't be one: the connection is closed, since the length was
    /// promised
    Content next() throws IOException;

    /// Called once: all was sent, or nothing more will be.
    @Override
    default void close() {}
  }
}
