package io.kiln.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.api.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryOutputTest {
  @TempDir Path root;

  @Test
  void partsAppearOnlyWithTheJobCommit() throws Exception {
    Path out = root.resolve("a/b/out");
    DirectoryOutput output = DirectoryOutput.create(Local.FILES, out.toString(), false);
    PartFile.Committed second = writePart(output, 1, 11, "two");
    PartFile.Committed first = writePart(output, 0, 10, "one");
    assertThat(names(out)).containsExactly("_temporary");
    output.commit(List.of(first, second));
    assertThat(names(out)).containsExactly("_SUCCESS", "part-00000", "part-00001");
    assertThat(out.resolve("part-00000")).hasContent("one\n");
    assertThat(out.resolve("part-00001")).hasContent("two\n");
  }

  @Test
  void onlyTheAttemptThatCountsIsKept() throws Exception {
    Path out = root.resolve("out");
    DirectoryOutput output = DirectoryOutput.create(Local.FILES, out.toString(), false);
    PartFile running =
        PartFile.create(Local.FILES, output.jobDirectory(), "", new ScriptedTask(0, 1));
    running.content().write("half of it".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    PartFile.Committed counted = writePart(output, 0, 2, "counted");
    writePart(output, 0, 3, "late");
    output.commit(List.of(counted));
    assertThatThrownBy(running::commit).isInstanceOf(KilnException.class);
    running.close();
    assertThat(names(out)).containsExactly("_SUCCESS", "part-00000");
    assertThat(out.resolve("part-00000")).hasContent("counted\n");
  }

  @Test
  void anAbortedJobLeavesNothing() throws Exception {
    Path out = root.resolve("made/for/it/out");
    DirectoryOutput output = DirectoryOutput.create(Local.FILES, out.toString(), false);
    writePart(output, 0, 1, "one");
    output.abort();
    assertThat(root).isEmptyDirectory();
    assertThatThrownBy(() -> writePart(output, 1, 2, "a task that was given up"))
        .isInstanceOf(KilnException.class);
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void anAbortedJobLeavesWhatWasThere() throws Exception {
    Path out = Files.createDirectory(root.resolve("out"));
    Files.writeString(out.resolve("part-00000"), "old");
    DirectoryOutput output = DirectoryOutput.create(Local.FILES, out.toString(), true);
    writePart(output, 0, 1, "new");
    output.abort();
    assertThat(names(out)).containsExactly("part-00000");
    assertThat(out.resolve("part-00000")).hasContent("old");
  }

  @Test
  void aTaskThatFailsLeavesNoFile() throws Exception {
    DirectoryOutput output =
        DirectoryOutput.create(Local.FILES, root.resolve("out").toString(), false);
    Records<String> failing =
        () -> Stream.of("a", "b").map(DirectoryOutputTest::failAtB).iterator();
    assertThatThrownBy(
            () ->
                new TextWriter<String>(Local.FILES, output.jobDirectory(), null)
                    .apply(new ScriptedTask(0, 5), failing))
        .isInstanceOf(IllegalStateException.class);
    assertThat(names(Path.of(output.jobDirectory()))).isEmpty();
  }

  @Test
  void nullRecordsAndCancelledTasksFail() {
    DirectoryOutput output =
        DirectoryOutput.create(Local.FILES, root.resolve("out").toString(), false);
    TextWriter<String> writer =
        new TextWriter<>(Local.FILES, output.jobDirectory(), Compression.GZIP);
    assertThatThrownBy(
            () -> writer.apply(new ScriptedTask(4, 1), () -> Stream.of("a", null).iterator()))
        .isInstanceOfSatisfying(
            KilnException.class, e -> assertThat(e.code()).isEqualTo("NULL_RECORD"))
        .hasMessageContaining("partition 4");
    ScriptedTask cancelled = new ScriptedTask(5, 2);
    cancelled.interrupt();
    assertThatThrownBy(
            () -> writer.apply(cancelled, () -> Stream.generate(() -> "again").iterator()))
        .isInstanceOfSatisfying(
            KilnException.class, e -> assertThat(e.code()).isEqualTo("TASK_KILLED"));
  }

  @Test
  void whatIsThereIsNotOverwritten() throws Exception {
    Path file = Files.writeString(root.resolve("file"), "precious");
    Path directory = Files.createDirectory(root.resolve("directory"));
    for (Path existing : List.of(file, directory)) {
      assertThatThrownBy(() -> DirectoryOutput.create(Local.FILES, existing.toString(), false))
          .isInstanceOfSatisfying(
              KilnException.class, e -> assertThat(e.code()).isEqualTo("OUTPUT_PATH_EXISTS"))
          .hasMessageContaining(existing.toString());
    }
    assertThat(file).hasContent("precious");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aPlaceThatCannotBeWrittenIsNamed() throws Exception {
    Path file = Files.writeString(root.resolve("file"), "not a directory");
    assertThatThrownBy(() -> DirectoryOutput.create(Local.FILES, file + "/out", false))
        .isInstanceOfSatisfying(
            KilnException.class, e -> assertThat(e.code()).isEqualTo("OUTPUT_WRITE_FAILED"))
        .hasMessageContaining(file + "/out");
    assertThat(file).hasContent("not a directory");
  }

  private static String failAtB(String value) {
    if (value.equals("b")) {
      throw new IllegalStateException("b");
    }
    return value;
  }

  private static PartFile.Committed writePart(
      DirectoryOutput output, int partition, long attempt, String line) throws Exception {
    return new TextWriter<String>(Local.FILES, output.jobDirectory(), null)
        .apply(new ScriptedTask(partition, attempt), () -> Stream.of(line).iterator());
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children.map(child -> child.getFileName().toString()).sorted().toList();
    }
  }
}
