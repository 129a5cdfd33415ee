package io.kiln.base.resource;

import io.kiln.api.KilnException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// A file that holds a directory: `.zip`, `.jar`, `.tar`, `.tar.gz` or `.tgz`.
///
/// What is unpacked stays in its directory, whatever the archive says: an entry that leads outside,
/// by its name or by links, is refused, and so is an archive that swells beyond reason.
public final class Archive {

  /// Code of the error when it can't be unpacked.
  public static final String FAILED = "ARCHIVE_UNUSABLE";

  private static final int BUFFER_BYTES = 64 * 1024;

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
    Map<String, Integer> modes = ZipModes.read(file);
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        int mode = modes.getOrDefault(entry.getName(), 0);
        if (entry.isDirectory()) {
          tree.addDirectory(entry.getName(), mode);
          continue;
        }
        try (InputStream content = zip.getInputStream(entry)) {
          if (ZipModes.isLink(mode)) {
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
        InputStream plain = compressed ? new GZIPInputStream(raw, BUFFER_BYTES) : raw) {
      TarReader tar = new TarReader(plain);
      while (tar.next()) {
        switch (tar.kind()) {
          case FILE -> tree.addFile(tar.name(), tar.content(), tar.mode());
          case DIRECTORY -> tree.addDirectory(tar.name(), tar.mode());
          case LINK -> tree.addLink(tar.name(), tar.target());
          case HARD_LINK -> tree.addHardLink(tar.name(), tar.target());
        }
      }
    }
  }

  private static KilnException unusable(String name, String why, Throwable cause) {
    return new KilnException(
        FAILED,
        KilnException.Kind.USER,
        "the archive " + name + " can't be unpacked: " + why,
        cause);
  }
}
