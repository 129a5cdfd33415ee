package io.kiln.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.base.filesystem.FileStatus;
import io.kiln.files.InputPaths.Nested;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputPathsTest {
  @TempDir Path root;

  @BeforeEach
  void createFiles() throws IOException {
    for (String name :
        List.of(
            "b.txt",
            "a.txt",
            "c.log",
            "_SUCCESS",
            ".hidden",
            "x[1].txt",
            "in:out.txt",
            "y2024/m01/part-0",
            "y2024/m02/part-0",
            "y2025/m01/part-0",
            "y2025/m01/_tmp/part-9")) {
      Path file = root.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, name);
    }
  }

  @Test
  void directoryWithoutHiddenFilesSorted() throws IOException {
    Path flat = Files.createDirectory(root.resolve("flat"));
    for (String name : List.of("b", "a", "_c", ".d")) {
      Files.writeString(flat.resolve(name), name);
    }
    assertThat(names(flat.toString())).containsExactly("flat/a", "flat/b");
    assertThat(
            new InputPaths(Local.FILES, Nested.REFUSE)
                .lookUp(flat.toString())
                .getFirst()
                .sizeBytes())
        .isEqualTo(1);
  }

  @Test
  void globs() {
    assertThat(names(root + "/*.txt")).containsExactly("a.txt", "b.txt", "in:out.txt", "x[1].txt");
    assertThat(names(root + "/?.txt")).containsExactly("a.txt", "b.txt");
    assertThat(names(root + "/[a-b].txt")).containsExactly("a.txt", "b.txt");
    assertThat(names(root + "/[^a].*")).containsExactly("b.txt", "c.log");
    assertThat(names(root + "/{c,a}.{txt,log}")).containsExactly("a.txt", "c.log");
    assertThat(names(root + "/y*/m01")).containsExactly("y2024/m01/part-0", "y2025/m01/part-0");
    assertThat(names(root + "/y{2024/m02,2025/m01}/part-*"))
        .containsExactly("y2024/m02/part-0", "y2025/m01/part-0");
    assertThat(names(root + "/x\\[1\\].txt")).containsExactly("x[1].txt");
    assertThat(names(root + "/_*")).containsExactly("_SUCCESS");
  }

  @Test
  void namedExactlyEvenIfHiddenOrLikeAPattern() {
    assertThat(names(root + "/.hidden")).containsExactly(".hidden");
    assertThat(names(root + "/x[1].txt")).containsExactly("x[1].txt");
  }

  @Test
  void commasInTheOrderWritten() {
    assertThat(names(root + "/c.log, " + root + "/{b,a}.txt"))
        .containsExactly("c.log", "a.txt", "b.txt");
  }

  @Test
  void fileUris() {
    assertThat(names("file:" + root + "/a.txt")).containsExactly("a.txt");
    assertThat(names("file://" + root + "/a.txt")).containsExactly("a.txt");
    assertThat(names("file://localhost" + root + "/a.txt")).containsExactly("a.txt");
    assertThat(names("FILE:" + root + "/?.txt")).containsExactly("a.txt", "b.txt");
  }

  @Test
  void otherSchemesAreNamed() {
    assertThatThrownBy(() -> names("hdfs://host:8020/data"))
        .isInstanceOfSatisfying(
            KilnException.class, e -> assertThat(e.code()).isEqualTo("SCHEME_UNSUPPORTED"))
        .hasMessageContaining("'hdfs'")
        .hasMessageContaining("hdfs://host:8020/data");
    assertThatThrownBy(() -> names(root + "/a.txt,s3a://bucket/key")).hasMessageContaining("'s3a'");
    assertThatThrownBy(() -> names("file://otherhost/data")).hasMessageContaining("otherhost");
  }

  @Test
  void missingPathsAreNamedInFull() {
    assertThatThrownBy(() -> names("no/such/input"))
        .isInstanceOfSatisfying(
            KilnException.class,
            e -> {
              assertThat(e.code()).isEqualTo("INPUT_PATH_MISSING");
              assertThat(e.kind()).isEqualTo(KilnException.Kind.USER);
            })
        .hasMessageContaining(Path.of("no/such/input").toAbsolutePath().toString());
    assertThatThrownBy(() -> names(root + "/a.txt," + root + "/none*"))
        .isInstanceOfSatisfying(
            KilnException.class, e -> assertThat(e.code()).isEqualTo("INPUT_PATH_MISSING"))
        .hasMessageContaining(root + "/none*");
    assertThatThrownBy(() -> names("")).hasMessageContaining("a path is empty");
    assertThatThrownBy(() -> names(root + "/{a,b")).hasMessageContaining("a { has no }");
    assertThatThrownBy(() -> names(root + "/[ab")).hasMessageContaining("a [ has no ]");
  }

  @Test
  void directoriesInsideDirectories() {
    assertThatThrownBy(() -> names(root.resolve("y2025").toString()))
        .hasMessageContaining("y2025/m01 is a directory");
    assertThat(relative(new InputPaths(Local.FILES, Nested.READ).lookUp(root + "/y2025")))
        .containsExactly("y2025/m01/part-0");
    assertThat(relative(new InputPaths(Local.FILES, Nested.SKIP).lookUp(root + "/y2025")))
        .isEmpty();
    assertThat(relative(new InputPaths(Local.FILES, Nested.SKIP).lookUp(root + "/y2025/m01")))
        .containsExactly("y2025/m01/part-0");
  }

  private List<String> names(String paths) {
    return relative(new InputPaths(Local.FILES, Nested.REFUSE).lookUp(paths));
  }

  private List<String> relative(List<FileStatus> files) {
    return files.stream().map(file -> root.relativize(Path.of(file.path())).toString()).toList();
  }
}
