package io.kiln.process;

import io.kiln.base.resource.FileTree;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/// Directories that belong to this process, in ones that others may share, such as `/tmp`: nobody
/// else can look into them, and nobody can have made them before. Thread-safe.
///
/// A name tells the process's id, its start and something random. While the process lives it holds
/// a lock in each, by which others know that it does: what a process that was killed has left is
/// removed by the next one of its user that makes a directory beside it ([DeadDirectories]).
public final class ProcessDirectory {
  /// Of a directory that only its owner can use.
  public static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /// In each directory; locked by its process.
  public static final String LOCK = ".process";

  private static final String PREFIX = "kiln-";
  private static final String UNLOCKED = ".process.new";
  private static final FileAttribute<Set<PosixFilePermission>> FILE_OF_OWNER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final int RADIX = 36;

  /// What this process has made. Holds the locks: one that nobody refers to would be lost. Empty
  /// where the file system has none.
  private static final Map<Path, Optional<FileLock>> MADE = new ConcurrentHashMap<>();

  private ProcessDirectory() {}

  /// A path at which nothing is yet; for [#make].
  ///
  /// @param kind of what it holds, for people
  public static Path in(Path parent, String kind) {
    // Making it fails where somebody else was first; that nobody can be sure of the name only keeps
    // others from seeing to that.
    String random = Long.toUnsignedString(new SplittableRandom().nextLong(), RADIX);
    return parent.resolve(PREFIX + kind + "-" + own() + "-" + random);
  }

  /// In the names of this process's directories, and of no other's.
  static String own() {
    ProcessHandle self = ProcessHandle.current();
    long started = self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    return self.pid() + "-" + Long.toString(started, RADIX);
  }

  /// Makes the directory, and those above it that are missing; does nothing if this process has
  /// made it already. Has directories nearby removed whose processes are dead, in the background.
  ///
  /// @return the same
  /// @throws IOException if that is not possible; also if it is there, and somebody else's
  public static Path make(Path directory) throws IOException {
    synchronized (MADE) {
      if (MADE.containsKey(directory)) {
        return directory;
      }
      Path parent = directory.toAbsolutePath().getParent();
      if (!Files.isDirectory(parent)) {
        Files.createDirectories(parent, OWNER_ONLY);
      }
      Files.createDirectory(directory, OWNER_ONLY);
      boolean shared = MADE.keySet().stream().noneMatch(parent::startsWith);
      MADE.put(directory, lock(directory));
      if (shared) {
        DeadDirectories.clearOnce(parent, Files.getOwner(directory));
      }
      return directory;
    }
  }

  /// Whether it may be the name of one, of whatever process.
  public static boolean isName(String name) {
    return name.startsWith(PREFIX);
  }

  /// Removes those in a directory whose processes are dead and were of this process's user.
  ///
  /// @param parent in which this process has made one
  public static void clear(Path parent) throws IOException {
    for (Path made : MADE.keySet()) {
      if (parent.equals(made.getParent())) {
        DeadDirectories.clear(parent, Files.getOwner(made));
        return;
      }
    }
  }

  private static Optional<FileLock> lock(Path directory) throws IOException {
    Path unlocked = directory.resolve(UNLOCKED);
    FileChannel channel =
        FileChannel.open(
            unlocked,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            FILE_OF_OWNER);
    FileLock lock;
    try {
      lock = channel.tryLock(); // which, other than lock, no interrupt can end
    } catch (IOException e) { // a file system without locks: nobody else will remove it
      channel.close();
      Files.delete(unlocked);
      return Optional.empty();
    }
    Files.move(unlocked, directory.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
    return Optional.of(lock);
  }

  /// Removes the directory with all that is in it, if it is there.
  ///
  /// @throws IOException if something stays
  public static void remove(Path directory) throws IOException {
    Optional<FileLock> lock = MADE.getOrDefault(directory, Optional.empty());
    MADE.remove(directory);
    try {
      FileTree.remove(directory);
    } finally {
      if (lock.isPresent()) {
        lock.get().acquiredBy().close();
      }
    }
  }
}
