package io.kiln.daemon.worker;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Copies what a process prints to a file, which is put aside now and then as `NAME--TIME`, and
/// begun anew. Used by one thread, until the process has closed its end.
///
/// Files end with whole lines, but for lines longer than a file may be. What can't be written is
/// dropped, and said in the log: the process must not wait for a disk.
final class RollingLog {
  private static final Logger LOG = LoggerFactory.getLogger(RollingLog.class);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd--HH-mm-ss--SSS");
  private static final int CHUNK_BYTES = 8192;
  private static final String COMPRESSED = ".gz";

  private final Path file;
  private final LogRolling rolling;
  private final InstantSource clock;
  private final ZoneId zone;
  private OutputStream out = OutputStream.nullOutputStream();
  private long bytes;
  private boolean atLineStart = true;
  private Instant due;
  private boolean failed;
  private Thread compressing = new Thread(() -> {});

  /// @param file is gone on with, if it is there
  RollingLog(Path file, LogRolling rolling, InstantSource clock, ZoneId zone) {
    this.file = file;
    this.rolling = rolling;
    this.clock = clock;
    this.zone = zone;
    this.due = nextDue();
  }

  /// Returns when all that there will be has been written.
  void copy(InputStream printed) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      open();
      for (int count = printed.read(chunk); count >= 0; count = printed.read(chunk)) {
        write(chunk, count);
      }
    } catch (IOException e) {
      LOG.debug("{} ends: its process closed it: {}", file, e.toString());
    } finally {
      close();
    }
  }

  private void open() {
    try {
      bytes = Files.exists(file) ? Files.size(file) : 0;
      out =
          new BufferedOutputStream(
              Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
              CHUNK_BYTES);
    } catch (IOException e) {
      dropped(e);
    }
  }

  /// Line by line: each may be the first of a new file.
  private void write(byte[] chunk, int count) {
    int begin = 0;
    while (begin < count) {
      int end = lineEnd(chunk, begin, count);
      if (isDue(end - begin)) {
        roll();
      }
      try {
        out.write(chunk, begin, end - begin);
      } catch (IOException e) {
        dropped(e);
      }
      bytes += end - begin;
      atLineStart = chunk[end - 1] == '\n';
      begin = end;
    }
    try {
      out.flush();
    } catch (IOException e) {
      dropped(e);
    }
  }

  private static int lineEnd(byte[] chunk, int begin, int count) {
    for (int i = begin; i < count; i++) {
      if (chunk[i] == '\n') {
        return i + 1;
      }
    }
    return count;
  }

  private boolean isDue(int more) {
    return switch (rolling.when()) {
      case LogRolling.BySize(long maxBytes) ->
          bytes + more > maxBytes && (atLineStart ? bytes > 0 : bytes >= maxBytes);
      case LogRolling.ByTime _ -> atLineStart && !clock.instant().isBefore(due);
    };
  }

  /// When the present file is to be put aside, if that is by time.
  private Instant nextDue() {
    if (!(rolling.when() instanceof LogRolling.ByTime(var interval))) {
      return Instant.MAX;
    }
    Instant now = clock.instant();
    long offset = zone.getRules().getOffset(now).getTotalSeconds();
    long periods = Math.floorDiv(now.getEpochSecond() + offset, interval.toSeconds());
    return Instant.ofEpochSecond((periods + 1) * interval.toSeconds() - offset);
  }

  private void roll() {
    due = nextDue();
    try {
      out.close();
      Path aside = Files.move(file, newName());
      if (rolling.compressed()) {
        awaitCompression();
        compressing = Thread.ofVirtual().name("kiln-log").start(() -> compress(aside));
      }
      removeOldest();
    } catch (IOException e) {
      LOG.warn("{} can't be put aside and goes on: {}", file, e.toString());
    }
    open();
  }

  private Path newName() {
    String name =
        file.getFileName() + "--" + TIME.format(LocalDateTime.ofInstant(clock.instant(), zone));
    Path wanted = file.resolveSibling(name);
    for (int i = 1; isTaken(wanted); i++) {
      wanted = file.resolveSibling(name + "." + i);
    }
    return wanted;
  }

  private static boolean isTaken(Path wanted) {
    return Files.exists(wanted) || Files.exists(compressed(wanted));
  }

  private static Path compressed(Path aside) {
    return aside.resolveSibling(aside.getFileName() + COMPRESSED);
  }

  private static void compress(Path aside) {
    Path partial = aside.resolveSibling("." + aside.getFileName() + COMPRESSED);
    try {
      try (OutputStream target = new GZIPOutputStream(Files.newOutputStream(partial))) {
        Files.copy(aside, target);
      }
      Files.setLastModifiedTime(partial, Files.getLastModifiedTime(aside));
      Files.move(partial, compressed(aside), StandardCopyOption.ATOMIC_MOVE);
      Files.deleteIfExists(aside);
    } catch (IOException e) {
      LOG.warn("{} stays uncompressed: {}", aside, e.toString());
    }
  }

  private void removeOldest() throws IOException {
    if (rolling.maxRetained() == 0) {
      return;
    }
    awaitCompression();
    List<Path> aside;
    String prefix = file.getFileName() + "--";
    try (Stream<Path> all = Files.list(file.getParent())) {
      aside =
          all.filter(other -> other.getFileName().toString().startsWith(prefix))
              .sorted(Comparator.comparing(RollingLog::lastModified).thenComparing(Path::toString))
              .toList();
    }
    for (Path old : aside.subList(0, Math.max(0, aside.size() - rolling.maxRetained()))) {
      Files.deleteIfExists(old);
    }
  }

  private static Instant lastModified(Path path) {
    try {
      return Files.getLastModifiedTime(path).toInstant();
    } catch (IOException e) {
      return Instant.MIN; // it is gone already
    }
  }

  private void awaitCompression() {
    try {
      compressing.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nobody interrupts this thread
    }
  }

  private void dropped(IOException why) {
    if (!failed) {
      failed = true;
      LOG.warn("What is printed to {} is dropped: {}", file, why.toString());
    }
  }

  private void close() {
    try {
      out.close();
    } catch (IOException e) {
      dropped(e);
    }
    awaitCompression();
  }
}
