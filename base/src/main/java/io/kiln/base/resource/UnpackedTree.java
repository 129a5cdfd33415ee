package io.kiln.base.resource;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// The directory that an archive is unpacked into. Trusts nothing of what the archive says.
///
/// Links come last: while files are written there is none that could lead a later one outside. Used
/// by one thread.
final class UnpackedTree {
  private static final int MAX_LINK_BYTES = 4096;
  private static final int BUFFER_BYTES = 64 * 1024;

  /// What may come out of a small archive in any case.
  static final long UNSUSPICIOUS_BYTES = 1L << 30;

  /// Beyond that, no honest archive is that many times smaller than what it holds.
  private static final long MAX_GROWTH = 200;

  /// In the order of `rwxrwxrwx`.
  private static final PosixFilePermission[] PERMISSIONS = {
    PosixFilePermission.OWNER_READ,
    PosixFilePermission.OWNER_WRITE,
    PosixFilePermission.OWNER_EXECUTE,
    PosixFilePermission.GROUP_READ,
    PosixFilePermission.GROUP_WRITE,
    PosixFilePermission.GROUP_EXECUTE,
    PosixFilePermission.OTHERS_READ,
    PosixFilePermission.OTHERS_WRITE,
    PosixFilePermission.OTHERS_EXECUTE
  };

  private final Path root;
  private final long maxBytes;
  private final Map<Path, String> links = new LinkedHashMap<>();
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private long bytes;

  /// @param root is there, by its real path
  /// @param archiveBytes how large the archive itself is
  /// @param unsuspiciousBytes what may come out of it however small it is
  UnpackedTree(Path root, long archiveBytes, long unsuspiciousBytes) throws IOException {
    this.root = root;
    long free = Files.getFileStore(root).getUsableSpace();
    this.maxBytes = Math.min(free, Math.max(unsuspiciousBytes, archiveBytes * MAX_GROWTH));
  }

  /// @param mode the permissions; 0 if they aren't known
  void addDirectory(String name, int mode) throws IOException {
    Path directory = inside(name);
    Files.createDirectories(directory);
    setPermissions(directory, mode == 0 ? 0 : mode | 0700);
  }

  /// @param mode the permissions; 0 if they aren't known
  void addFile(String name, InputStream content, int mode) throws IOException {
    Path file = inside(name);
    Files.createDirectories(file.getParent());
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
        count(read);
        out.write(buffer, 0, read);
      }
    }
    setPermissions(file, mode == 0 ? 0 : mode | 0600);
  }

  private void count(int more) throws IOException {
    bytes += more;
    if (bytes > maxBytes) {
      throw new IOException(
          "it would become larger than "
              + maxBytes
              + " bytes, which is more than fits on the disk or than an archive of its size can"
              + " honestly hold");
    }
  }

  /// @param target where the link leads, from the directory that it is in
  void addLink(String name, String target) throws IOException {
    links.put(inside(name), target);
  }

  /// @param target the name of an earlier file of the archive
  void addHardLink(String name, String target) throws IOException {
    Path link = inside(name);
    Path file = inside(target);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(name + " is a link to " + target + ", which is no file before it");
    }
    Files.createDirectories(link.getParent());
    Files.deleteIfExists(link);
    Files.createLink(link, file);
  }

  static String linkTarget(InputStream content) throws IOException {
    byte[] target = content.readNBytes(MAX_LINK_BYTES + 1);
    if (target.length > MAX_LINK_BYTES) {
      throw new IOException("a link leads to a name of more than " + MAX_LINK_BYTES + " bytes");
    }
    return new String(target, StandardCharsets.UTF_8);
  }

  /// Makes the links. To be called once, at the end.
  void finish() throws IOException {
    for (Map.Entry<Path, String> link : links.entrySet()) {
      Path at = link.getKey();
      checkNotBehindLink(at);
      Path leadsTo = at.getParent().resolve(link.getValue()).normalize();
      if (link.getValue().startsWith("/") || !leadsTo.startsWith(root)) {
        throw leadsOutside(at, link.getValue());
      }
      Files.createDirectories(at.getParent());
      Files.deleteIfExists(at);
      Files.createSymbolicLink(at, Path.of(link.getValue()));
    }
    for (Map.Entry<Path, String> link : links.entrySet()) {
      checkWhereItLeads(link.getKey(), link.getValue());
    }
  }

  /// All links of the tree are known, so none can lead a later one outside.
  private void checkNotBehindLink(Path at) throws IOException {
    for (Path above = at.getParent(); above.startsWith(root); above = above.getParent()) {
      if (links.containsKey(above)) {
        throw new IOException(
            "its link " + root.relativize(at) + " lies behind another, " + root.relativize(above));
      }
    }
  }

  /// By way of other links it may lead elsewhere than its words say.
  private void checkWhereItLeads(Path link, String target) throws IOException {
    try {
      if (!link.toRealPath().startsWith(root)) {
        throw leadsOutside(link, target);
      }
    } catch (NoSuchFileException e) {
      // it leads nowhere, which harms nobody
    }
  }

  private IOException leadsOutside(Path link, String target) {
    return new IOException(
        "its link " + root.relativize(link) + " leads outside of it, to " + target);
  }

  private Path inside(String name) throws IOException {
    if (name.isEmpty() || name.startsWith("/") || name.indexOf('\0') >= 0) {
      throw new IOException("its entry '" + name + "' would be written outside of its directory");
    }
    Path path = root;
    for (String part : name.split("/")) {
      if (part.equals("..")) {
        throw new IOException("its entry '" + name + "' would be written outside of its directory");
      }
      if (!part.isEmpty() && !part.equals(".")) {
        path = path.resolve(part);
      }
    }
    return path;
  }

  /// Owner, group and others; never more, such as whose rights a program gets.
  private static void setPermissions(Path path, int mode) throws IOException {
    if (mode == 0) {
      return;
    }
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (int i = 0; i < PERMISSIONS.length; i++) {
      if ((mode & (0400 >> i)) != 0) {
        permissions.add(PERMISSIONS[i]);
      }
    }
    Files.setPosixFilePermissions(path, permissions);
  }
}
