package io.kiln.base.filesystem;

import io.kiln.base.resource.FileTree;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The files of this machine, with nothing but the JDK on the way. Stateless. Each rename is
/// atomic.
public final class LocalFileSystem implements FileSystem {
  /// Into which a local file is cut; it lies in one place as a whole.
  public static final long BLOCK_BYTES = 32L << 20;

  static final LocalFileSystem INSTANCE = new LocalFileSystem();

  private LocalFileSystem() {}

  @Override
  public String absolute(String path) {
    return LocalPath.absolute(path);
  }

  @Override
  public String uri(String path) {
    return LocalPath.uri(path);
  }

  @Override
  public Optional<FileStatus> find(String path) throws IOException {
    try {
      return Optional.of(status(Path.of(path)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (FileSystemException e) {
      // Something above it is a file, say, or the name is too long for one.
      if (e instanceof AccessDeniedException || Files.exists(Path.of(path))) {
        throw e;
      }
      return Optional.empty();
    }
  }

  @Override
  public List<FileStatus> list(String directory, Predicate<String> wanted) throws IOException {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(Path.of(directory))) {
      for (Path child : stream) {
        if (wanted.test(child.getFileName().toString())) {
          children.add(child);
        }
      }
    }
    Collections.sort(children);
    List<FileStatus> found = new ArrayList<>(children.size());
    for (Path child : children) {
      found.add(status(child));
    }
    return found;
  }

  private static FileStatus status(Path path) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    return new FileStatus(
        path.toString(), attributes.isDirectory(), attributes.size(), BLOCK_BYTES, List.of());
  }

  @Override
  public SeekableByteChannel open(String file) throws IOException {
    return Files.newByteChannel(Path.of(file));
  }

  @Override
  public OutputStream create(String file) throws IOException {
    return Files.newOutputStream(
        Path.of(file), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  @Override
  public void createDirectory(String directory) throws IOException {
    Files.createDirectory(Path.of(directory));
  }

  @Override
  public void createDirectories(String directory) throws IOException {
    Files.createDirectories(Path.of(directory));
  }

  @Override
  public void rename(String file, String to) throws IOException {
    Files.move(Path.of(file), Path.of(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void remove(String path) throws IOException {
    FileTree.remove(Path.of(path));
  }

  @Override
  public boolean removeIfEmpty(String directory) throws IOException {
    try {
      Files.deleteIfExists(Path.of(directory));
      return true;
    } catch (DirectoryNotEmptyException e) {
      return false;
    }
  }
}
