package io.kiln.hadoop;

import io.kiln.base.filesystem.FileBlock;
import io.kiln.base.filesystem.FileStatus;
import io.kiln.base.filesystem.FileSystem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/// The files behind the URIs of any scheme that Hadoop's client knows. Thread-safe.
///
/// A directory or a file that replaces another is not made in one step: Hadoop has no such call for
/// all file systems. Names of a job's files are its own, so nothing hangs on that.
final class HadoopFileSystem implements FileSystem {
  private final HadoopAccess access;

  HadoopFileSystem(HadoopAccess access) {
    this.access = access;
  }

  /// What Hadoop does with one of its file systems.
  @FunctionalInterface
  private interface Call<T> {
    T on(org.apache.hadoop.fs.FileSystem system, Path path) throws IOException;
  }

  private <T> T call(String path, Call<T> call) throws IOException {
    try {
      Path target = new Path(path);
      return call.on(access.of(target), target);
    } catch (IOException | IllegalArgumentException e) {
      throw HadoopFailure.translated(path, e);
    }
  }

  @Override
  public String absolute(String path) {
    try {
      return call(path, (system, target) -> system.makeQualified(target).toString());
    } catch (IOException e) {
      throw HadoopFailure.unusable(path, e);
    }
  }

  @Override
  public String uri(String path) {
    return path;
  }

  @Override
  public Optional<FileStatus> find(String path) throws IOException {
    return call(
        path,
        (system, target) -> {
          try {
            org.apache.hadoop.fs.FileStatus found = system.getFileStatus(target);
            BlockLocation[] blocks =
                found.isDirectory()
                    ? new BlockLocation[0]
                    : system.getFileBlockLocations(found, 0, found.getLen());
            return Optional.of(status(found, blocks));
          } catch (FileNotFoundException e) {
            return Optional.empty();
          }
        });
  }

  @Override
  public List<FileStatus> list(String directory, Predicate<String> wanted) throws IOException {
    return call(
        directory,
        (system, target) -> {
          List<FileStatus> found = new ArrayList<>();
          RemoteIterator<LocatedFileStatus> children = system.listLocatedStatus(target);
          while (children.hasNext()) {
            LocatedFileStatus child = children.next();
            if (wanted.test(child.getPath().getName())) {
              found.add(status(child, child.getBlockLocations()));
            }
          }
          found.sort(Comparator.comparing(FileStatus::path));
          return found;
        });
  }

  private static FileStatus status(org.apache.hadoop.fs.FileStatus found, BlockLocation[] locations)
      throws IOException {
    List<FileBlock> blocks = new ArrayList<>();
    for (BlockLocation location : locations == null ? new BlockLocation[0] : locations) {
      List<String> hosts = hosts(location);
      if (!hosts.isEmpty()) {
        blocks.add(new FileBlock(location.getOffset(), location.getLength(), hosts));
      }
    }
    long blockBytes = Math.max(1, found.getBlockSize());
    return new FileStatus(
        found.getPath().toString(), found.isDirectory(), found.getLen(), blockBytes, blocks);
  }

  /// By name and by address, since an executor's host may be known by either. Where there are no
  /// places, Hadoop says `localhost`.
  private static List<String> hosts(BlockLocation location) throws IOException {
    Set<String> hosts = new LinkedHashSet<>(List.of(location.getHosts()));
    hosts.remove("localhost");
    for (String address : location.getNames()) {
      int port = address.lastIndexOf(':');
      hosts.add(port < 0 ? address : address.substring(0, port));
    }
    hosts.remove("localhost");
    return List.copyOf(hosts);
  }

  @Override
  public SeekableByteChannel open(String file) throws IOException {
    return call(file, (system, target) -> new HadoopChannel(system, target, system.open(target)));
  }

  @Override
  public OutputStream create(String file) throws IOException {
    return call(
        file,
        (system, target) ->
            new HadoopOutput(file, system.createFile(target).overwrite(false).build()));
  }

  @Override
  public void createDirectory(String directory) throws IOException {
    boolean isThere = find(directory).isPresent();
    if (isThere) {
      throw new FileAlreadyExistsException(directory);
    }
    createDirectories(directory);
  }

  @Override
  public void createDirectories(String directory) throws IOException {
    boolean made = call(directory, (system, target) -> system.mkdirs(target));
    if (!made) {
      throw new FileSystemException(directory, null, "the file system made no directory");
    }
  }

  @Override
  public void rename(String file, String to) throws IOException {
    Path target = new Path(to);
    boolean done =
        call(
            file,
            (system, source) ->
                system.rename(source, target)
                    || (system.exists(source)
                        && system.getFileStatus(target).isFile()
                        && system.delete(target, false)
                        && system.rename(source, target)));
    if (!done) {
      throw find(file).isEmpty()
          ? new NoSuchFileException(file)
          : new FileSystemException(to, null, "the file system did not rename " + file + " to it");
    }
  }

  @Override
  public void remove(String path) throws IOException {
    boolean removed = call(path, (system, target) -> system.delete(target, true));
    if (!removed && find(path).isPresent()) {
      throw new FileSystemException(path, null, "the file system did not delete it");
    }
  }

  /// A non-recursive delete would say by an error of its own, which no two file systems share, that
  /// something is there.
  @Override
  public boolean removeIfEmpty(String directory) throws IOException {
    return call(
        directory,
        (system, target) -> {
          try {
            return !system.listStatusIterator(target).hasNext()
                && (system.delete(target, false) || !system.exists(target));
          } catch (FileNotFoundException e) {
            return true;
          }
        });
  }
}
