package io.kiln.daemon.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkDirectoryTest {
  @TempDir Path path;

  @Test
  void whatWorkersLeaveThatAreGoneIsRemovedUnlessAnotherStillUsesIt() throws IOException {
    Path ofOther = Files.createDirectories(path.resolve("somebody/else"));
    try (WorkDirectory second = WorkDirectory.open(path)) {
      Path abandoned;
      Path shared;
      try (WorkDirectory first = WorkDirectory.open(path)) {
        abandoned = Files.createDirectory(path.resolve("app-1"));
        first.markUsed("app-1");
        first.markUsed("app-1"); // of another executor
        shared = Files.createDirectory(path.resolve("app-2"));
        first.markUsed("app-2");
        second.markUsed("app-2");

        second.removeAbandoned();
        assertThat(abandoned).exists();
      }
      second.removeAbandoned();

      assertThat(abandoned).doesNotExist();
      assertThat(shared).exists();
      assertThat(ofOther).exists();
    }
  }

  @Test
  void oneThatCanNotBeWrittenToIsRefused() throws IOException {
    Path file = Files.createFile(path.resolve("file"));

    assertThatThrownBy(() -> WorkDirectory.open(file)).isInstanceOf(IOException.class);
  }
}
