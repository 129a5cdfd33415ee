package io.kiln.process;

import io.kiln.base.resource.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// Removes what processes of this user have left that were killed: those [ProcessDirectory]s whose
/// lock nobody holds.
///
/// A lock is held by a process and by no other that is given its id later, and it is seen from
/// another container too. What belongs to other users, links, and directories without a lock stay.
///
/// A process may have had its directory inside that of the process that started it: an executor in
/// its worker's. It outlives the other by a moment, and others may read its map outputs until it
/// ends. So the outer directory stays while a lock inside it is held, and is looked at again.
final class DeadDirectories {
  /// A process that starts does not look at more, nor remove more: the next one goes on.
  private static final int MOST_LOOKED_AT = 10_000;

  private static final int MOST_REMOVED = 100;

  /// How far inside a process's directory the locks of those lie that it has started:
  /// `application/directory/lock`. Deeper are data only, and a great many files.
  private static final int DEPTH = 3;

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  /// A process ends sooner when the one that started it is gone.
  private static final int MOST_LOOKS = 60;

  /// Where this process has looked.
  private static final Set<Path> CLEARED = ConcurrentHashMap.newKeySet();

  private DeadDirectories() {}

  /// Clears a directory once in the life of this process, in the background.
  ///
  /// @param self who runs this process
  static void clearOnce(Path parent, UserPrincipal self) {
    if (CLEARED.add(parent)) {
      Thread.ofPlatform()
          .daemon()
          .name("kiln-clear-up")
          .priority(Thread.MIN_PRIORITY)
          .start(() -> clearUntilAllEnded(parent, self));
    }
  }

  private static void clearUntilAllEnded(Path parent, UserPrincipal self) {
    try {
      for (int looks = 1; clear(parent, self).someEnd() && looks < MOST_LOOKS; looks++) {
        Thread.sleep(BETWEEN_LOOKS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the next process tries again
    }
  }

  /// What has come of one look.
  ///
  /// @param removed how many directories
  /// @param someEnd whether one stays only because a process inside it has yet to end
  record Cleared(int removed, boolean someEnd) {}

  static Cleared clear(Path parent, UserPrincipal self) {
    int looked = 0;
    int removed = 0;
    boolean someEnd = false;
    try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, "kiln-*")) {
      for (Path directory : found) {
        if (removed == MOST_REMOVED || ++looked > MOST_LOOKED_AT) {
          break;
        }
        if (isOfAnotherProcess(directory)) {
          switch (removeIfDead(directory, self)) {
            case REMOVED -> removed++;
            case ENDS -> someEnd = true;
            case STAYS -> {}
          }
        }
      }
    } catch (IOException | UncheckedIOException e) {
      return new Cleared(removed, someEnd); // the next one tries again
    }
    return new Cleared(removed, someEnd);
  }

  private enum Fate {
    REMOVED,
    /// Its process is dead, but one that this has started is not yet.
    ENDS,
    STAYS
  }

  /// Closing a file gives up all locks that this process holds on it, so its own are not opened.
  private static boolean isOfAnotherProcess(Path directory) {
    return !directory.getFileName().toString().contains("-" + ProcessDirectory.own() + "-");
  }

  private static Fate removeIfDead(Path directory, UserPrincipal self) {
    Path lock = directory.resolve(ProcessDirectory.LOCK);
    try {
      if (!isOf(self, directory) || !Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)) {
        return Fate.STAYS;
      }
      try (FileChannel channel = open(lock);
          FileLock held = channel.tryLock()) {
        if (held == null) {
          return Fate.STAYS;
        }
        if (isSomeHeldInside(directory, lock)) {
          return Fate.ENDS;
        }
        removeContents(directory, lock);
        FileTree.remove(directory);
        return Fate.REMOVED;
      }
    } catch (IOException | UncheckedIOException | OverlappingFileLockException e) {
      return Fate.STAYS; // the next one tries again
    }
  }

  private static boolean isSomeHeldInside(Path directory, Path own) throws IOException {
    try (Stream<Path> locks =
        Files.find(
            directory,
            DEPTH,
            (path, attributes) ->
                attributes.isRegularFile() && path.endsWith(ProcessDirectory.LOCK))) {
      for (Path lock : (Iterable<Path>) locks::iterator) {
        if (!lock.equals(own) && (!isOfAnotherProcess(lock.getParent()) || isHeld(lock))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isHeld(Path lock) throws IOException {
    try (FileChannel channel = open(lock);
        FileLock held = channel.tryLock()) {
      return held == null;
    }
  }

  private static FileChannel open(Path lock) throws IOException {
    return FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }

  /// But for the lock, so that who comes after this process may go on, should it be killed.
  private static void removeContents(Path directory, Path lock) throws IOException {
    try (DirectoryStream<Path> contents = Files.newDirectoryStream(directory)) {
      for (Path content : contents) {
        if (!content.equals(lock)) {
          FileTree.remove(content);
        }
      }
    }
  }

  private static boolean isOf(UserPrincipal self, Path directory) throws IOException {
    return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
        && Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(self);
  }
}
