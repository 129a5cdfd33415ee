package io.kiln.base.resource;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kiln.api.KilnException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/// A file that holds a directory: `.zip`, `.jar`, `.tar`, `.tar.gz` or `.tgz`.
///
/// What is unpacked stays in its directory, whatever the archive says: an entry that leads outside,
/// by its name or by links, is refused, and so is an archive that swells beyond reason.
public final class Archive {

  /// Code of the error when it can't be unpacked.
  public static final String FAILED = "ARCHIVE_UNUSABLE";

  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int TAR_BLOCK_BYTES = 512;

  private enum Format {
    ZIP,
    TAR,
    TAR_GZ
  }

  private final Path file;
  private final Format format;

  private Archive(Path file, Format format) {
    this.file = file;
    this.format = format;
  }

  /// @param name tells the format by its end
  /// @throws KilnException `ARCHIVE_UNUSABLE` if it isn't the name of an archive
  public static Archive of(Path file, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".zip") || lower.endsWith(".jar")) {
      return new Archive(file, Format.ZIP);
    }
    if (lower.endsWith(".tar")) {
      return new Archive(file, Format.TAR);
    }
    if (lower.endsWith(".tar.gz") || lower.endsWith(".tgz")) {
      return new Archive(file, Format.TAR_GZ);
    }
    throw unusable(name, "it is none of .zip, .jar, .tar, .tar.gz and .tgz", null);
  }

  /// @param directory made by this; if unpacking fails, nothing is left of it
  /// @throws KilnException `ARCHIVE_UNUSABLE`
  public void unpackInto(Path directory) {
    try {
      Files.createDirectories(directory);
      UnpackedTree tree =
          new UnpackedTree(
              directory.toRealPath(), Files.size(file), UnpackedTree.UNSUSPICIOUS_BYTES);
      switch (format) {
        case ZIP -> unpackZip(tree);
        case TAR -> unpackTar(tree, false);
        case TAR_GZ -> unpackTar(tree, true);
      }
      tree.finish();
    } catch (IOException | RuntimeException e) {
      KilnException failure =
          unusable(file.toString(), e.getMessage() == null ? e.toString() : e.getMessage(), e);
      try {
        FileTree.remove(directory);
      } catch (IOException again) {
        failure.addSuppressed(again);
      }
      throw failure;
    }
  }

  private void unpackZip(UnpackedTree tree) throws IOException {
    try (ZipFile zip = ZipFile.builder().setPath(file).get()) {
      for (ZipArchiveEntry entry : Collections.list(zip.getEntries())) {
        int mode = entry.getUnixMode(); // 0 where none was packed
        if (entry.isDirectory()) {
          tree.addDirectory(entry.getName(), mode);
          continue;
        }
        try (InputStream content = zip.getInputStream(entry)) {
          if (content == null) {
            throw new IOException("its entry '" + entry.getName() + "' is packed in no known way");
          }
          if (entry.isUnixSymlink()) {
            tree.addLink(entry.getName(), UnpackedTree.linkTarget(content));
          } else {
            tree.addFile(entry.getName(), content, mode);
          }
        }
      }
    }
  }

  private void unpackTar(UnpackedTree tree, boolean compressed) throws IOException {
    try (InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
        InputStream plain = compressed ? new GZIPInputStream(raw, BUFFER_BYTES) : raw;
        TarArchiveInputStream tar = new TarArchiveInputStream(plain, UTF_8.name())) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        if (!entry.isCheckSumOK()) {
          throw new IOException("it is damaged, or no tar: a header has the wrong checksum");
        }
        if (entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice()) {
          throw new IOException(
              "its entry '" + entry.getName() + "' is neither file, directory nor link");
        }
        if (entry.isDirectory()) {
          tree.addDirectory(entry.getName(), entry.getMode());
        } else if (entry.isSymbolicLink()) {
          tree.addLink(entry.getName(), entry.getLinkName());
        } else if (entry.isLink()) {
          tree.addHardLink(entry.getName(), entry.getLinkName());
        } else {
          tree.addFile(entry.getName(), tar, entry.getMode());
        }
      }
      if (tar.getBytesRead() < TAR_BLOCK_BYTES) {
        throw new IOException("it is no tar: it ends in the middle of a header");
      }
    }
  }

  /// Makes a `.tar` of all that is in a directory, with permissions; links are packed as what they
  /// lead to.
  ///
  /// @param file replaced if it is there
  public static void pack(Path directory, Path file) throws IOException {
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(
            new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES), UTF_8.name())) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
      try (Stream<Path> found = Files.walk(directory, FileVisitOption.FOLLOW_LINKS)) {
        for (Path path : (Iterable<Path>) found.skip(1)::iterator) {
          TarArchiveEntry entry =
              new TarArchiveEntry(path.toFile(), directory.relativize(path).toString());
          entry.setMode(mode(path, entry.isDirectory()));
          tar.putArchiveEntry(entry);
          if (!entry.isDirectory()) {
            Files.copy(path, tar);
          }
          tar.closeArchiveEntry();
        }
      }
    }
  }

  private static int mode(Path path, boolean directory) {
    return directory || Files.isExecutable(path) ? 0755 : 0644;
  }

  private static KilnException unusable(String name, String why, Throwable cause) {
    return new KilnException(
        FAILED,
        KilnException.Kind.USER,
        "the archive " + name + " can't be unpacked: " + why,
        cause);
  }
}
