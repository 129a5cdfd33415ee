package io.kiln.shuffle.server;

import io.kiln.api.KilnException;
import io.kiln.network.codec.WireWriter;
import io.kiln.network.transport.Content;
import io.kiln.shuffle.CommittedOutput;
import io.kiln.shuffle.ShuffleStore;
import io.kiln.shuffle.server.ShuffleRequest.FetchShuffle;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What [FetchShuffle] is answered with: first a table, preceded by its length as a fixed int; then
/// the bytes of what is in the table, in its order.
///
/// The table has for each map partition a byte, [#HELD] or [#NOT_HELD]; if it is held, for each
/// reduce partition the length, unsigned, and where that isn't 0 the checksum, a fixed int.
///
/// The reduce partitions of one map output lie together in its file: they are one part of a file
/// on the way out. Many small ones are gathered before they are sent. Once the table has promised
/// something, a file that can't be read any more gives zeros: whoever asked sees a wrong checksum,
/// asks again and hears that the output is gone.
public final class ShuffleContent implements Content.Pieces {
  public static final byte HELD = 1;
  public static final byte NOT_HELD = 0;

  /// It was held until it could not be read.
  public static final byte LOST = 2;

  private static final Logger logger = LoggerFactory.getLogger(ShuffleContent.class);
  private static final int GATHERED_BYTES = 256 << 10;
  private static final int SMALL_BYTES = 64 << 10;

  private final ShuffleStore store;
  private final Iterator<Part> parts;
  private Optional<Part> next;
  private Optional<ByteBuffer> table;

  /// What is asked for of one map output.
  private record Part(CommittedOutput output, long offset, long length) {}

  private ShuffleContent(ShuffleStore store, ByteBuffer table, List<Part> parts) {
    this.store = store;
    this.parts = parts.iterator();
    this.table = Optional.of(table);
    advance();
  }

  /// @throws KilnException `NO_CONTENT` if the shuffle has no such partitions
  static Content of(ShuffleStore store, FetchShuffle request) {
    WireWriter table = new WireWriter(16 + 8 * request.mapPartitions().length);
    table.writeFixedInt(0);
    List<Part> parts = new ArrayList<>();
    long bytes = 0;
    for (int map : request.mapPartitions()) {
      Optional<CommittedOutput> output = store.find(request.shuffleId(), map);
      table.writeByte(
          output.isPresent() ? HELD : store.hasLost(request.shuffleId(), map) ? LOST : NOT_HELD);
      if (output.isPresent()) {
        Part part = describe(output.get(), request, table);
        bytes += part.length();
        if (part.length() > 0) {
          parts.add(part);
        }
      }
    }
    table.patchFixedInt(0, table.size() - Integer.BYTES);
    ByteBuffer head = ByteBuffer.wrap(table.array(), 0, table.size());
    return new Content.OfPieces(head.remaining() + bytes, new ShuffleContent(store, head, parts));
  }

  private static Part describe(CommittedOutput output, FetchShuffle request, WireWriter table) {
    long[] lengths = output.output().partitionBytes();
    if (request.first() < 0 || request.end() > lengths.length) {
      throw ShuffleServer.missing(
          "shuffle " + request.shuffleId() + " has " + lengths.length + " partitions only");
    }
    long bytes = 0;
    for (int reduce = request.first(); reduce < request.end(); reduce++) {
      table.writeUnsigned(lengths[reduce]);
      if (lengths[reduce] > 0) {
        table.writeFixedInt(output.checksums()[reduce]);
        bytes += lengths[reduce];
      }
    }
    return new Part(output, bytes == 0 ? 0 : output.offsets()[request.first()], bytes);
  }

  private void advance() {
    next = parts.hasNext() ? Optional.of(parts.next()) : Optional.empty();
  }

  @Override
  public Content next() {
    if (table.isEmpty() && next.isPresent() && next.get().length() > SMALL_BYTES) {
      Part part = next.get();
      advance();
      return large(part);
    }
    List<ByteBuffer> gathered = new ArrayList<>(2);
    table.ifPresent(gathered::add);
    table = Optional.empty();
    if (next.isPresent() && next.get().length() <= SMALL_BYTES) {
      gathered.add(gatherSmall());
    }
    return new Content.OfBytes(gathered);
  }

  private ByteBuffer gatherSmall() {
    ByteBuffer bytes = ByteBuffer.allocate(GATHERED_BYTES);
    while (next.isPresent() && next.get().length() <= Math.min(SMALL_BYTES, bytes.remaining())) {
      Part part = next.get();
      int end = bytes.position() + (int) part.length();
      try (FileChannel file = FileChannel.open(part.output().dataFile(), StandardOpenOption.READ)) {
        bytes.limit(end);
        for (long at = part.offset(); bytes.hasRemaining(); ) {
          int count = file.read(bytes, at);
          if (count < 0) {
            throw new EOFException("it ends at " + at);
          }
          at += count;
        }
      } catch (IOException e) {
        unreadable(part, e);
      }
      bytes.limit(bytes.capacity()).position(end);
      advance();
    }
    return bytes.flip();
  }

  private Content large(Part part) {
    try {
      if (Files.size(part.output().dataFile()) >= part.offset() + part.length()) {
        return Content.OfFiles.of(part.output().dataFile(), part.offset(), part.length());
      }
      unreadable(part, new EOFException("it is too short"));
    } catch (IOException e) {
      unreadable(part, e);
    }
    return zeros(part.length());
  }

  private static Content zeros(long length) {
    byte[] zeros = new byte[GATHERED_BYTES];
    long[] left = {length};
    return new Content.OfPieces(
        length,
        () -> {
          int count = (int) Math.min(left[0], zeros.length);
          left[0] -= count;
          return new Content.OfBytes(List.of(ByteBuffer.wrap(zeros, 0, count)));
        });
  }

  private void unreadable(Part part, IOException why) {
    logger.warn(
        "The output of map task {} of shuffle {} can't be read and is forgotten: {}",
        part.output().output().mapPartition(),
        part.output().output().shuffleId(),
        why.toString());
    store.forget(part.output());
  }
}
