package io.kiln.resolver;

import io.kiln.launcher.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.aether.repository.LocalRepository;

/// Where packages are kept, and where else they may be found.
///
/// @param written the one that is written to
/// @param read others to look in
/// @param warnings a line, if it is another than the user would think
record LocalRepositoryChoice(Path written, List<Path> read, List<String> warnings) {

  /// @param wanted the directory that the user names; empty for Maven's own
  /// @param ofMaven where Maven keeps them
  /// @param cacheHome `XDG_CACHE_HOME`, or empty
  /// @throws Refusal if none can be written to
  static LocalRepositoryChoice make(String wanted, Path ofMaven, String cacheHome) {
    Path first = wanted.isEmpty() ? ofMaven : Path.of(wanted);
    if (isWritable(first)) {
      return new LocalRepositoryChoice(first, List.of(), List.of());
    }
    List<Path> others = new ArrayList<>();
    others.add(
        (cacheHome.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(cacheHome))
            .resolve("kiln/packages"));
    others.add(
        Path.of(
            System.getProperty("java.io.tmpdir"),
            "kiln-packages-" + System.getProperty("user.name")));
    for (Path other : others) {
      if (!Files.isSymbolicLink(other) && isWritable(other) && isOwn(other)) {
        return new LocalRepositoryChoice(
            other,
            Files.isDirectory(first) ? List.of(first) : List.of(),
            List.of(first + " can't be written to: packages are kept in " + other));
      }
    }
    throw new Refusal(
        "Packages can't be kept anywhere: neither "
            + first
            + " nor "
            + others.getFirst()
            + " nor "
            + others.getLast()
            + " can be written to; name a directory by --conf spark.jars.ivy=DIRECTORY");
  }

  /// In the order in which to look.
  ///
  /// @param type what the resolver calls the way in which they are kept
  List<LocalRepository> repositories(String type) {
    List<LocalRepository> repositories = new ArrayList<>();
    repositories.add(new LocalRepository(written, type));
    for (Path other : read) {
      repositories.add(new LocalRepository(other, type));
    }
    return repositories;
  }

  private static boolean isWritable(Path directory) {
    try {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Path probe = Files.createTempFile(directory, ".kiln", "");
      Files.delete(probe);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Code from a directory of somebody else would be theirs.
  private static boolean isOwn(Path directory) {
    try {
      PosixFileAttributes found =
          Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return found.isDirectory()
          && found.owner().getName().equals(System.getProperty("user.name"))
          && !found.permissions().contains(PosixFilePermission.GROUP_WRITE)
          && !found.permissions().contains(PosixFilePermission.OTHERS_WRITE);
    } catch (IOException e) {
      return false;
    }
  }
}
