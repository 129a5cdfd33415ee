package io.kiln.daemon.recovery;

import io.kiln.api.KilnException;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.codec.WireFormatException;
import io.kiln.network.codec.WireReader;
import io.kiln.network.codec.WireWriter;
import io.kiln.process.ProcessDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a master keeps, in a file of one directory, which one master at a time may use.
///
/// The file begins with the log's form. A batch is its length, the CRC32C of the length and that of
/// the changes, four bytes each, most significant first, and then the changes as the codec writes
/// them. A batch of which only the beginning is there was being written when the master died, so
/// nobody has seen what followed from it: it is dropped. A wrong checksum is damage: somebody has
/// seen the batch, or one behind it. The log is then refused and stays as it is.
///
/// When the log is opened, and whenever most of it is of no use any more, it is written anew with
/// the last entry of each key.
///
/// Appends on one thread, one at a time.
final class EntryLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EntryLog.class);
  private static final byte[] FORM = "KilnLog2".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER_BYTES = 12;
  private static final int MAX_BATCH_BYTES = 256 << 20;

  /// A shorter log is not written anew while it is used.
  private static final long LEAST_BYTES = 4 << 20;

  /// How many times as long as what is of use it gets.
  private static final int GROWTH = 4;

  private final RecordCodec codec = KeptRecords.codec();
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
      Files.createDirectories(directory, ProcessDirectory.OWNER_ONLY);
      lock =
          FileChannel.open(
              directory.resolve("master.lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE);
      if (!isHeld()) {
        throw unusable("another master uses it", null);
      }
    } catch (IOException e) {
      throw unusable(e.toString(), e);
    }
    try {
      read();
      channel = rewrite();
    } catch (IOException e) {
      throw released(unusable(e.toString(), e));
    } catch (KilnException e) {
      throw released(e);
    }
  }

  private KilnException released(KilnException failure) {
    try {
      lock.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    return failure;
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
    ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file));
    if (!Arrays.equals(all.array(), 0, Math.min(FORM.length, all.limit()), FORM, 0, FORM.length)) {
      throw otherVersion("it does not begin as a log of this version does", null);
    }
    all.position(FORM.length);
    while (all.hasRemaining()) {
      int position = all.position();
      if (all.remaining() < HEADER_BYTES || isNeverWritten(all)) {
        dropEnd(all);
        return;
      }
      int length = all.getInt();
      if (all.getInt() != checksum(all.array(), position, Integer.BYTES)) {
        throw damaged(position, "the length of the batch there does not match its checksum", all);
      }
      int checksum = all.getInt();
      if (length > all.remaining()) {
        all.position(position);
        dropEnd(all);
        return;
      }
      if (checksum(all.array(), all.position(), length) != checksum) {
        throw damaged(position, "the batch there does not match its checksum", all);
      }
      read(codec.reader(all.array(), all.position(), length));
      all.position(all.position() + length);
    }
  }

  /// A file system may have lengthened the file, and then lost what was to stand there.
  private static boolean isNeverWritten(ByteBuffer all) {
    for (int i = all.position(); i < all.limit(); i++) {
      if (all.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private void dropEnd(ByteBuffer all) {
    LOG.warn(
        "{} ends at byte {} in a batch that was being written when its master died; its {} bytes"
            + " are dropped",
        file,
        all.position(),
        all.remaining());
  }

  private KilnException damaged(int position, String what, ByteBuffer all) {
    return unusable(
        file
            + " is damaged at byte "
            + position
            + " of "
            + all.limit()
            + ": "
            + what
            + "; the file was left as it is. Restore it from a copy; or move it away to begin with"
            + " nothing; or copy it and cut it there (truncate -s "
            + position
            + "), which loses what was kept later",
        null);
  }

  private KilnException otherVersion(String why, Throwable cause) {
    return unusable(file + " was written by another version (" + why + "); move it away", cause);
  }

  private void read(WireReader batch) {
    try {
      while (batch.remaining() > 0) {
        keep((Change) codec.read(batch));
      }
    } catch (WireFormatException | ClassCastException e) {
      throw otherVersion(e.getMessage(), e);
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
    bytes = FORM.length;
    writeFully(ByteBuffer.wrap(FORM), opened);
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
    frame.putInt(checksum(frame.array(), 0, Integer.BYTES));
    frame.putInt(checksum(body.array(), 0, body.size()));
    frame.put(body.array(), 0, body.size());
    frame.flip();
    bytes += frame.remaining();
    writeFully(frame, to);
  }

  private static void writeFully(ByteBuffer from, FileChannel to) throws IOException {
    while (from.hasRemaining()) {
      to.write(from);
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
