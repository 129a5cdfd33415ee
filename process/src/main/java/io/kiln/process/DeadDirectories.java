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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Removes what processes of this user have left that were killed: those [ProcessDirectory]s whose
/// lock nobody holds.
///
/// A lock is held by a process and by no other that is given its id later, and it is seen from
/// another container too. What belongs to other users, links, and directories without a lock stay.
final class DeadDirectories {
  /// A process that starts does not look at more, nor remove more: the next one goes on.
  private static final int MOST_LOOKED_AT = 10_000;

  private static final int MOST_REMOVED = 100;

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
          .start(() -> clear(parent, self));
    }
  }

  /// @return how many were removed
  static int clear(Path parent, UserPrincipal self) {
    int looked = 0;
    int removed = 0;
    try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, "kiln-*")) {
      for (Path directory : found) {
        if (removed == MOST_REMOVED || ++looked > MOST_LOOKED_AT) {
          break;
        }
        if (isOfAnotherProcess(directory) && removeIfDead(directory, self)) {
          removed++;
        }
      }
    } catch (IOException | UncheckedIOException e) {
      return removed; // the next one tries again
    }
    return removed;
  }

  /// Closing a file gives up all locks that this process holds on it, so its own are not opened.
  private static boolean isOfAnotherProcess(Path directory) {
    return !directory.getFileName().toString().contains("-" + ProcessDirectory.own() + "-");
  }

  private static boolean removeIfDead(Path directory, UserPrincipal self) {
    Path lock = directory.resolve(ProcessDirectory.LOCK);
    try {
      if (!isOf(self, directory) || !Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
      try (FileChannel channel =
              FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
          FileLock held = channel.tryLock()) {
        if (held == null) {
          return false;
        }
        removeContents(directory, lock);
        FileTree.remove(directory);
        return true;
      }
    } catch (IOException | UncheckedIOException | OverlappingFileLockException e) {
      return false; // the next one tries again
    }
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
