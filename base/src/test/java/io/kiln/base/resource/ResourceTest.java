package io.kiln.base.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/a/b.txt                  | /a/b.txt     | b.txt",
        "/a/b.txt#c                | /a/b.txt     | c",
        "file:/a/b.txt             | /a/b.txt     | b.txt",
        "file:///a/b%20c%23.txt#d  | /a/b c#.txt  | d",
        "file://localhost/a/b      | /a/b         | b",
        "local:/a/b.zip#env        | /a/b.zip     | env",
        "file:/a/{b,c}*.txt        | /a/{b,c}*.txt| {b,c}*.txt",
        "/a/./b/../c.txt           | /a/./b/../c.txt | c.txt",
        "odd:name.txt              | ?            | ?",
      })
  void readsPlacesOnThisMachine(String text, String path, String name) {
    Resource resource = Resource.parse(text);

    if (path.equals("?")) {
      assertThatThrownBy(resource::path).hasMessageContaining("odd: is not supported");
      return;
    }
    assertThat(resource.isRemote()).isFalse();
    assertThat(resource.path()).isEqualTo(Path.of(path));
    assertThat(resource.name()).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http://h/a/b.jar             | b.jar   | http://h/a/b.jar",
        "HTTPS://h:1/a%20b.zip#env    | env     | HTTPS://h:1/a%20b.zip",
        "https://u:p@h/b.jar?token=t  | b.jar   | https://h/b.jar",
      })
  void readsPlacesOnServers(String text, String name, String shown) {
    Resource resource = Resource.parse(text);

    assertThat(resource.isRemote()).isTrue();
    assertThat(resource.name()).isEqualTo(name);
    assertThat(resource.shown()).isEqualTo(shown);
  }

  @Test
  void aFileThatIsThereNeedsNoEscapes(@TempDir Path directory) throws Exception {
    Path file = Files.createFile(directory.resolve("odd:na#me.txt"));

    assertThat(Resource.parse(file.toString()).path()).isEqualTo(file);
    assertThat(Resource.parse(file + "#x").name()).isEqualTo("x");
    assertThat(Resource.parse(file + "#x").path()).isEqualTo(file);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hdfs://h/a.jar      | hdfs: is not supported in this version",
        "s3a://b/a.jar       | s3a: is not supported in this version",
        "ftp://h/a.jar       | ftp: is not supported in this version",
        "ivy://a:b:c         | by --packages",
        "file://host/a.jar   | it names the host host",
        "http:///a.jar       | it names no host",
        "http://h/a b^.jar   | it is no URI",
        "/a.txt#             | what follows the # must be a name",
        "/a.txt#../b         | what follows the # must be a name",
        "/a.txt#..           | what follows the # must be a name",
        "http://h/           | it does not end with the name of a file",
      })
  void saysWhatCanNotBe(String text, String message) {
    assertThatThrownBy(
            () -> {
              Resource resource = Resource.parse(text);
              Object _ = resource.isRemote() ? resource.fileName() : resource.path();
            })
        .isInstanceOf(KilnException.class)
        .hasMessageContaining(message);
  }
}
