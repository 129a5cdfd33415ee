package io.kiln.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ProcessDirectoryTest {
  @TempDir Path parent;

  @Test
  void nobodyElseCanLookIntoIt() throws IOException {
    Path directory = ProcessDirectory.in(parent.resolve("missing"), "test");
    ProcessDirectory.make(directory);

    assertThat(permissions(directory)).isEqualTo("rwx------");
    assertThat(permissions(directory.getParent())).isEqualTo("rwx------");
    assertThat(permissions(directory.resolve(ProcessDirectory.LOCK))).isEqualTo("rw-------");

    ProcessDirectory.remove(directory);
    assertThat(directory).doesNotExist();
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void whatIsThereAlreadyIsNotTaken() throws IOException {
    Path directory = Files.createDirectory(ProcessDirectory.in(parent, "test"));
    Path link = ProcessDirectory.in(parent, "test");
    Files.createSymbolicLink(link, Files.createDirectory(parent.resolve("elsewhere")));

    assertThat(link).isNotEqualTo(directory);
    assertThatThrownBy(() -> ProcessDirectory.make(directory))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> ProcessDirectory.make(link))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void nobodyCanGuessItsName() {
    Set<Path> names = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      names.add(ProcessDirectory.in(parent, "test"));
    }

    assertThat(names).hasSize(1000);
  }

  @Test
  void whatAProcessLeavesThatIsKilledIsRemovedOnceItIsDead() throws Exception {
    Process process = startHolder(parent);
    try {
      Path held = Path.of(process.inputReader().readLine());
      assertThat(clear()).isZero();
      assertThat(held.resolve("spilled/file")).exists();

      process.destroyForcibly().waitFor();
      assertThat(clear()).isEqualTo(1);
      assertThat(held).doesNotExist();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void whatAProcessLeavesStaysWhileOneThatItStartedLives() throws Exception {
    Path worker = dead(parent.resolve("kiln-worker-1-2-3"));
    Process executor = startHolder(worker.resolve("app-1"));
    try {
      Path held = Path.of(executor.inputReader().readLine());
      assertThat(DeadDirectories.clear(parent, Files.getOwner(parent)))
          .isEqualTo(new DeadDirectories.Cleared(0, true));
      assertThat(held.resolve("spilled/file")).exists();

      executor.destroyForcibly().waitFor();
      assertThat(clear()).isEqualTo(1);
      assertThat(worker).doesNotExist();
    } finally {
      executor.destroyForcibly();
    }
  }

  private static Process startHolder(Path parent) throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-Xshare:auto",
            "-cp",
            System.getProperty("java.class.path"),
            Holder.class.getName(),
            parent.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /// Makes a directory and waits.
  static final class Holder {
    private Holder() {}

    public static void main(String[] words) throws Exception {
      Path directory = ProcessDirectory.in(Path.of(words[0]), "test");
      ProcessDirectory.make(directory);
      Files.writeString(Files.createDirectory(directory.resolve("spilled")).resolve("file"), "x");
      System.out.println(directory);
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  @Test
  void onlyWhatIsOfADeadProcessOfThisUserIsRemoved() throws IOException {
    Path living = ProcessDirectory.in(parent, "test");
    ProcessDirectory.make(living);
    Path withoutLock = Files.createDirectory(parent.resolve("kiln-test-1-2-3"));
    Path elsewhere = dead(Files.createDirectory(parent.resolve("elsewhere")).resolve("kept"));
    Files.createSymbolicLink(parent.resolve("kiln-test-1-2-4"), elsewhere);
    Path dead = dead(parent.resolve("kiln-test-1-2-5"));
    Files.createSymbolicLink(dead.resolve("link"), elsewhere);

    while (Files.exists(dead)) { // one that runs in the background may be at it
      clear();
    }

    assertThat(living).exists();
    assertThat(withoutLock).exists();
    assertThat(elsewhere.resolve("file")).exists();
    ProcessDirectory.remove(living);
  }

  @Test
  void whoMakesOneHasTheDeadOnesBesideItRemoved() throws IOException {
    Path dead = dead(parent.resolve("kiln-test-1-2-3"));
    Path own = ProcessDirectory.make(ProcessDirectory.in(parent, "test"));
    while (Files.exists(dead)) {
      assertThat(Thread.interrupted()).as("removed in the background").isFalse();
      Thread.onSpinWait();
    }

    Path later = dead(parent.resolve("kiln-test-1-2-4"));
    ProcessDirectory.clear(parent);
    assertThat(later).doesNotExist();
    assertThat(own).exists();
    ProcessDirectory.remove(own);
  }

  @Test
  void whatIsOfAnotherUserStays() throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"));
    Path directory = dead(parent.resolve("kiln-test-1-2-6"));
    var nobody =
        parent.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
    Files.setOwner(directory, nobody);

    assertThat(clear()).isZero();
    assertThat(directory.resolve("file")).exists();
  }

  @Test
  void oneProcessRemovesOnlySomeAndTheNextGoesOn() throws IOException {
    for (int i = 0; i < 150; i++) {
      dead(parent.resolve("kiln-test-1-2-" + i));
    }

    assertThat(clear()).isEqualTo(100);
    assertThat(clear()).isEqualTo(50);
    try (Stream<Path> left = Files.list(parent)) {
      assertThat(left).isEmpty();
    }
  }

  private int clear() throws IOException {
    return DeadDirectories.clear(parent, Files.getOwner(parent)).removed();
  }

  private static Path dead(Path directory) throws IOException {
    Files.createDirectory(directory);
    Files.writeString(directory.resolve(ProcessDirectory.LOCK), "");
    Files.writeString(directory.resolve("file"), "x");
    return directory;
  }
}
