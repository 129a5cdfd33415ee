package io.kiln.examples;

import io.kiln.api.RDD;
import io.kiln.api.TaskContext;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.zip.CRC32;

/// The records of the sort benchmark: 100 bytes, the first 10 of them the key.
///
/// A record's key comes from a linear congruential generator of 128 bits, state × a + c; the record
/// of a row is the same whoever makes it, so each task makes its own rows.
final class TeraRecords {
  static final int RECORD_BYTES = 100;
  static final int KEY_BYTES = 10;

  private static final BigInteger MULTIPLIER =
      new BigInteger("2360ED051FC65DA44385DF649FCCF645", 16);
  private static final BigInteger INCREMENT =
      new BigInteger("4A696D47726179524950202020202001", 16);
  private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(128);
  private static final int STATE_BYTES = 16;
  private static final String HEX_DIGITS = "0123456789ABCDEF";

  private TeraRecords() {}

  /// The records of the rows `first` to `end - 1`.
  static Iterator<byte[]> generate(long first, long end) {
    return new Iterator<>() {
      private long row = first;
      private BigInteger state = skip(first);

      @Override
      public boolean hasNext() {
        return row < end;
      }

      @Override
      public byte[] next() {
        if (!hasNext()) {
          throw new NoSuchElementException("no more rows");
        }
        state = state.multiply(MULTIPLIER).add(INCREMENT).mod(MODULUS);
        return record(row++, bytes(state));
      }
    };
  }

  static byte[] key(byte[] record) {
    return Arrays.copyOf(record, KEY_BYTES);
  }

  static int compareKeys(byte[] left, byte[] right) {
    return Arrays.compareUnsigned(left, 0, KEY_BYTES, right, 0, KEY_BYTES);
  }

  /// What is added up over all records to tell whether two sets of them are the same.
  static long checksum(byte[] record) {
    CRC32 checksum = new CRC32();
    checksum.update(record);
    return checksum.getValue();
  }

  /// A file a partition, in the local directory `directory`, which is created and may not be there.
  static void save(RDD<byte[]> records, String directory) throws IOException {
    Path created = Path.of(directory).toAbsolutePath();
    Files.createDirectories(created.getParent());
    Files.createDirectory(created);
    records.foreachPartition(partition -> savePartition(partition, Path.of(directory)));
    Files.createFile(Path.of(directory, "_SUCCESS"));
  }

  private static void savePartition(Iterator<byte[]> records, Path directory) throws IOException {
    TaskContext task = TaskContext.current().orElseThrow();
    Path attempt = directory.resolve("_attempt-" + task.taskAttemptId());
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(attempt))) {
      while (records.hasNext()) {
        out.write(records.next());
      }
    }
    String name = String.format(Locale.ROOT, "part-%05d", task.partitionId());
    Files.move(attempt, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  /// For programs that were given no output: a directory that isn't there yet.
  static String newDirectory(String name) {
    try {
      return Files.createTempDirectory("kiln-").resolve(name).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] record(long row, byte[] random) {
    byte[] record = new byte[RECORD_BYTES];
    System.arraycopy(random, 0, record, 0, KEY_BYTES);
    record[10] = 0x00;
    record[11] = 0x11;
    byte[] number = String.format("%032X", row).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(number, 0, record, 12, number.length);
    put(record, 44, 0x88, 0x99, 0xAA, 0xBB);
    for (int i = 0; i < 12; i++) {
      int nibble = random[KEY_BYTES + i / 2] >>> (i % 2 == 0 ? 4 : 0) & 0xF;
      Arrays.fill(record, 48 + 4 * i, 52 + 4 * i, (byte) HEX_DIGITS.charAt(nibble));
    }
    put(record, 96, 0xCC, 0xDD, 0xEE, 0xFF);
    return record;
  }

  private static void put(byte[] record, int offset, int... values) {
    for (int i = 0; i < values.length; i++) {
      record[offset + i] = (byte) values[i];
    }
  }

  /// The state after `steps` steps from 0, by squaring the step.
  private static BigInteger skip(long steps) {
    BigInteger state = BigInteger.ZERO;
    BigInteger multiplier = MULTIPLIER;
    BigInteger increment = INCREMENT;
    for (long rest = steps; rest > 0; rest >>= 1) {
      if ((rest & 1) == 1) {
        state = state.multiply(multiplier).add(increment).mod(MODULUS);
      }
      increment = multiplier.add(BigInteger.ONE).multiply(increment).mod(MODULUS);
      multiplier = multiplier.multiply(multiplier).mod(MODULUS);
    }
    return state;
  }

  private static byte[] bytes(BigInteger state) {
    byte[] significant = state.toByteArray();
    byte[] bytes = new byte[STATE_BYTES];
    int count = Math.min(STATE_BYTES, significant.length);
    System.arraycopy(significant, significant.length - count, bytes, STATE_BYTES - count, count);
    return bytes;
  }
}
