package io.kiln.standalone.recovery;

import io.kiln.api.KilnException;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.codec.WireFormatException;
import io.kiln.network.codec.WireReader;
import io.kiln.network.codec.WireWriter;
import io.kiln.standalone.node.ClusterProtocol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/// What a master keeps, in a file of one directory, which one master at a time may use.
///
/// A batch is its length and its CRC32C, four bytes each, most significant first, and then the
/// changes as the codec writes them. A batch whose end is missing or wrong was being written when
/// the master died, so nobody has seen what followed from it: it and all behind it are dropped.
/// When the log is opened, and whenever most of it is of no use any more, it is written anew with
/// the last entry of each key.
///
/// Appends on one thread, one at a time.
final class EntryLog implements AutoCloseable {
  private static final int HEADER_BYTES = 8;
  private static final int MAX_BATCH_BYTES = 256 << 20;

  /// A shorter log is not written anew while it is used.
  private static final long LEAST_BYTES = 4 << 20;

  /// How many times as long as what is of use it gets.
  private static final int GROWTH = 4;

  private final RecordCodec codec = ClusterProtocol.codec();
  private final Path directory;
  private final Path file;
  private final FileChannel lock;
  private final Map<String, byte[]> entries = new LinkedHashMap<>();
  private FileChannel channel;
  private long bytesOfUse; // when it was written anew
  private long bytes;

  /// @throws KilnException `RECOVERY_UNUSABLE`
  EntryLog(Path directory) {
    this.directory = directory;
    this.file = directory.resolve("master.log");
    try {
      Files.createDirectories(directory);
      lock =
          FileChannel.open(
              directory.resolve("master.lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE);
      if (!isHeld()) {
        throw unusable("another master uses it", null);
      }
      read();
      channel = rewrite();
    } catch (IOException e) {
      throw unusable(e.toString(), e);
    }
  }

  private boolean isHeld() throws IOException {
    try {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // in this very process
    }
  }

  /// The last of each key.
  Map<String, byte[]> entries() {
    return Map.copyOf(entries);
  }

  private void read() throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    while (bytes.remaining() > HEADER_BYTES) {
      int length = bytes.getInt();
      int checksum = bytes.getInt();
      if (length < 0 || length > bytes.remaining()) {
        return;
      }
      if (checksum(bytes.array(), bytes.position(), length) != checksum) {
        return;
      }
      read(codec.reader(bytes.array(), bytes.position(), length));
      bytes.position(bytes.position() + length);
    }
  }

  private void read(WireReader batch) {
    try {
      while (batch.remaining() > 0) {
        keep((Change) codec.read(batch));
      }
    } catch (WireFormatException | ClassCastException e) {
      throw unusable(
          file + " was written by another version (" + e.getMessage() + "); move it away", e);
    }
  }

  private void keep(Change change) {
    switch (change) {
      case Change.Put(String key, byte[] value) -> entries.put(key, value);
      case Change.Remove(String key) -> entries.remove(key);
    }
  }

  private FileChannel rewrite() throws IOException {
    Path fresh = directory.resolve("master.log.new");
    Files.deleteIfExists(fresh);
    Files.createFile(
        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    FileChannel opened = FileChannel.open(fresh, StandardOpenOption.WRITE);
    bytes = 0;
    for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
      write(List.of(new Change.Put(entry.getKey(), entry.getValue())), opened);
    }
    opened.force(true);
    bytesOfUse = bytes;
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel named = FileChannel.open(directory, StandardOpenOption.READ)) {
      named.force(true);
    }
    return opened;
  }

  /// Returns once all are durable.
  ///
  /// @throws KilnException `RECOVERY_UNUSABLE`
  void append(List<Change> batch) {
    try {
      write(batch, channel);
      channel.force(false);
      batch.forEach(this::keep);
      if (bytes > LEAST_BYTES && bytes > GROWTH * bytesOfUse) {
        FileChannel old = channel;
        channel = rewrite();
        old.close();
      }
    } catch (IOException e) {
      throw unusable(e.toString(), e);
    }
  }

  private void write(List<Change> batch, FileChannel to) throws IOException {
    WireWriter body = new WireWriter(1024);
    for (Change change : batch) {
      codec.write(change, body);
    }
    if (body.size() > MAX_BATCH_BYTES) {
      throw new IOException("a batch of " + body.size() + " bytes is too large");
    }
    ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + body.size());
    frame.putInt(body.size());
    frame.putInt(checksum(body.array(), 0, body.size()));
    frame.put(body.array(), 0, body.size());
    frame.flip();
    bytes += frame.remaining();
    while (frame.hasRemaining()) {
      to.write(frame);
    }
  }

  private static int checksum(byte[] bytes, int offset, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, offset, length);
    return (int) checksum.getValue();
  }

  private KilnException unusable(String why, Throwable cause) {
    return new KilnException(
        "RECOVERY_UNUSABLE",
        KilnException.Kind.RESOURCES,
        "what the master keeps can't be had from or written to "
            + directory
            + " (spark.deploy.recoveryDirectory): "
            + why,
        cause);
  }

  @Override
  public void close() {
    try (lock) {
      channel.close();
    } catch (IOException e) {
      throw unusable(e.toString(), e);
    }
  }
}
