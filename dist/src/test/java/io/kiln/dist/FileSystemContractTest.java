package io.kiln.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.base.filesystem.FileStatus;
import io.kiln.base.filesystem.FileSystem;
import io.kiln.base.filesystem.FileSystems;
import io.kiln.base.filesystem.Glob;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the engine relies on, of each file system that it comes with.
class FileSystemContractTest {
  private static final FileSystems SYSTEMS =
      FileSystems.of(Map.of(), FileSystemContractTest.class.getClassLoader());

  @TempDir Path local;
  private FileSystem files;
  private String root;

  private void use(String kind) throws IOException {
    root = SYSTEMS.absolute(kind.equals("hdfs") ? MiniDfs.newDirectory("contract") : local + "/r");
    files = SYSTEMS.at(root);
    files.createDirectories(root);
  }

  private String write(String name, String text) throws IOException {
    String path = FileSystem.child(root, name);
    try (OutputStream out = files.create(path)) {
      out.write(text.getBytes(UTF_8));
    }
    return path;
  }

  private String read(String path, long from) throws IOException {
    try (SeekableByteChannel in = files.open(path)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) (in.size() - from));
      in.position(from);
      while (bytes.hasRemaining() && in.read(bytes) >= 0) {}
      return new String(bytes.array(), UTF_8);
    }
  }

  private List<String> names() throws IOException {
    return files.list(root, _ -> true).stream()
        .map(file -> file.path().substring(root.length() + 1))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hdfs"})
  void filesAreReadFromAnywhereInThem(String kind) throws Exception {
    use(kind);
    String path = write("a b", "hello");
    FileStatus found = files.find(path).orElseThrow();
    assertThat(found.path()).isEqualTo(path);
    assertThat(found.isDirectory()).isFalse();
    assertThat(found.sizeBytes()).isEqualTo(5);
    assertThat(read(path, 0)).isEqualTo("hello");
    assertThat(read(path, 3)).isEqualTo("lo");
    assertThat(files.find(path + "x")).isEmpty();
    assertThat(files.find(path + "/x")).isEmpty();
    assertThatThrownBy(() -> files.open(path + "x")).isInstanceOf(NoSuchFileException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hdfs"})
  void listsAreSortedAndHaveWhatIsWanted(String kind) throws Exception {
    use(kind);
    write("b", "");
    write("a", "1");
    files.createDirectory(FileSystem.child(root, "c"));
    write("c/_x", "");
    assertThat(names()).containsExactly("a", "b", "c");
    assertThat(files.list(root, name -> !name.equals("b")))
        .extracting(FileStatus::isDirectory)
        .containsExactly(false, true);
    assertThat(Glob.find(files, root + "/{b,[ac]*}", name -> name.startsWith("_")))
        .extracting(FileStatus::path)
        .containsExactly(root + "/a", root + "/b", root + "/c");
    assertThat(Glob.find(files, root + "/*/*", name -> name.startsWith("_"))).isEmpty();
    assertThatThrownBy(() -> files.list(root + "/none", _ -> true))
        .isInstanceOf(NoSuchFileException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hdfs"})
  void nothingIsCreatedOverWhatIsThereOrWhereNoDirectoryIs(String kind) throws Exception {
    use(kind);
    write("a", "old");
    assertThatThrownBy(() -> write("a", "new")).isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> files.createDirectory(root))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> write("gone/a", "zombie")).isInstanceOf(NoSuchFileException.class);
    assertThat(names()).containsExactly("a");
    files.createDirectories(root + "/x/y");
    files.createDirectories(root + "/x/y");
    assertThat(files.find(root + "/x/y")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hdfs"})
  void aRenameReplacesAFile(String kind) throws Exception {
    use(kind);
    String from = write("from", "new");
    String to = write("to", "old");
    files.rename(from, to);
    assertThat(read(to, 0)).isEqualTo("new");
    assertThat(names()).containsExactly("to");
    assertThatThrownBy(() -> files.rename(from, to)).isInstanceOf(NoSuchFileException.class);
    assertThat(read(to, 0)).isEqualTo("new");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hdfs"})
  void treesAreRemovedAndDirectoriesOnlyIfEmpty(String kind) throws Exception {
    use(kind);
    files.createDirectories(root + "/d/e");
    assertThat(files.removeIfEmpty(root + "/d")).isFalse();
    assertThat(files.removeIfEmpty(root + "/d/e")).isTrue();
    assertThat(files.removeIfEmpty(root + "/none")).isTrue();
    write("d/f", "x");
    files.remove(root + "/d");
    files.remove(root + "/none");
    assertThat(names()).isEmpty();
  }
}
