package io.kiln.executor.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.protocol.SharedResource;
import io.kiln.protocol.SharedResource.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourcesTest {

  private static SharedResource file(int id) {
    return new SharedResource(id, Kind.FILE, "file-" + id, "file-" + id, "", false);
  }

  /// The list that an executor is given when it registers may be made before, and sent after, the
  /// one of a file that is added meanwhile.
  @Test
  void anOlderListDoesNotReplaceANewer() throws IOException {
    try (ExecutorClassLoader loader =
        new ExecutorClassLoader(
            getClass().getClassLoader(),
            _ -> false,
            getClass().getClassLoader(),
            _ -> new byte[0])) {
      Resources resources =
          new Resources(
              Path.of("unused"),
              request -> {
                throw new IOException("nobody fetches " + request);
              },
              loader);
      resources.want(List.of(file(0), file(1)));
      resources.want(List.of(file(0)));

      assertThat(resources.wanted()).containsExactly(file(0), file(1));
    }
  }
}
