package io.kiln.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastWordsTest {
  @TempDir private Path directory;

  private String lastWords(String written) throws IOException {
    return LastWords.of(Files.writeString(directory.resolve("stderr"), written));
  }

  @Test
  void areWhatWasThrownAndWhyWithoutFrames() throws IOException {
    assertThat(
            lastWords(
                """
                26/11/29 02:43:01 INFO Job: it begins
                Exception in thread "main" java.lang.IllegalStateException: no table
                \tat com.example.Job.read(Job.java:12)
                \tat com.example.Job.main(Job.java:7)
                Caused by: java.io.IOException: disk on fire
                \tat java.base/java.io.FileInputStream.open0(Native Method)
                \tat app//com.example.Job$$Lambda/0x00007f.run(<generated>)
                \t... 2 more

                """))
        .isEqualTo(
            "26/11/29 02:43:01 INFO Job: it begins"
                + " / Exception in thread \"main\" java.lang.IllegalStateException: no table"
                + " / Caused by: java.io.IOException: disk on fire");
  }

  @Test
  void areTheLastThreeLines() throws IOException {
    assertThat(lastWords("one\ntwo\nthree\nat the end (as it seemed) all was well\n"))
        .isEqualTo("two / three / at the end (as it seemed) all was well");
  }

  @Test
  void areEmptyWhereNothingWasSaid() throws IOException {
    assertThat(lastWords("")).isEmpty();
    assertThat(LastWords.of(directory.resolve("none"))).isEmpty();
  }
}
