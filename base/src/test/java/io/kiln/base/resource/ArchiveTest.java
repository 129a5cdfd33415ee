package io.kiln.base.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArchiveTest {

  @TempDir Path directory;
  private Path target;

  @BeforeEach
  void chooseTarget() {
    target = directory.resolve("unpacked");
  }

  @ParameterizedTest
  @CsvSource({
    "a.tar,    --format=posix -cf",
    "a.tar,    --format=ustar -cf",
    "a.tar.gz, --format=gnu -czf",
    "a.tgz,    --format=pax -czf",
    "a.TAR.GZ, --format=v7 -czf"
  })
  void unpacksWhatTarPacks(String name, String how) throws Exception {
    // The old formats have room for 100 letters of a name, or 255 in parts.
    String longName =
        how.contains("v7") ? "n" : how.contains("ustar") ? "n".repeat(80) + "/m".repeat(60) : "";
    Path source = makeTree(longName.isEmpty() ? "n".repeat(120) + "/é".repeat(90) : longName);
    Path archive = directory.resolve(name);
    run(source, "tar " + how + " " + archive + " .");

    Archive.of(archive, name).unpackInto(target);

    assertSame(source, target);
  }

  /// As conda-pack and zip's `-y` do it: permissions and links are in the directory at the end.
  @ParameterizedTest
  @ValueSource(strings = {"a.zip", "a.jar"})
  void unpacksAZipWithItsPermissionsAndLinks(String name) throws Exception {
    Path archive = directory.resolve(name);
    zip(archive, new Packed("bin/tool", "#!/bin/sh", 0100755), new Packed("lib/", "", 040755));
    addModes(archive);

    Archive.of(archive, name).unpackInto(target);

    assertThat(target.resolve("bin/tool")).hasContent("#!/bin/sh").isExecutable();
    assertThat(target.resolve("lib")).isDirectory();
  }

  @Test
  void unpacksLinksOfAZip() throws Exception {
    Path archive = directory.resolve("a.zip");
    zip(
        archive,
        new Packed("real.txt", "text", 0100644),
        new Packed("l/k", "../real.txt", 0120777));
    addModes(archive);

    Archive.of(archive, "a.zip").unpackInto(target);

    assertThat(target.resolve("l/k")).isSymbolicLink().hasContent("text");
  }

  @Test
  void unpacksAZipWithoutPermissions() throws Exception {
    Path archive = directory.resolve("a.zip");
    zip(archive, new Packed("a/b.txt", "b", 0));

    Archive.of(archive, "a.zip").unpackInto(target);

    assertThat(target.resolve("a/b.txt")).hasContent("b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../evil", "a/../../evil", "/evil", "a/.."})
  void refusesAZipWhoseEntriesLeadOutside(String name) throws Exception {
    Path archive = directory.resolve("a.zip");
    zip(archive, new Packed("good", "x", 0), new Packed(name, "x", 0));

    assertRefused(archive, "would be written outside");
  }

  @ParameterizedTest
  @CsvSource({
    "0, ../evil,   '',         would be written outside",
    "0, /evil,     '',         would be written outside",
    "2, link,      /etc,       its link link leads outside of it",
    "2, a/link,    ../../evil, its link a/link leads outside of it",
    "1, link,      ../evil,    would be written outside",
    "1, link,      missing,    which is no file before it",
    "3, device,    '',         is neither file",
    "6, pipe,      '',         is neither file",
  })
  void refusesATarWhoseEntriesLeadOutside(char type, String name, String leadsTo, String message)
      throws Exception {
    assertRefused(tar(entry(type, name, leadsTo, "")), message);
  }

  @Test
  void refusesLinksThatLeadOutsideByWayOfOthers() throws Exception {
    assertRefused(
        tar(
            entry('2', "x/y/z/up", "../../..", ""),
            entry('2', "x/y/z/out", "up/..", ""),
            entry('0', "file", "", "x")),
        "leads outside of it");
  }

  @Test
  void writesNothingThroughALink() throws Exception {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    assertRefused(
        tar(entry('2', "a", "b", ""), entry('2', "a/c", "d", ""), entry('5', "b", "", "")),
        "lies behind another");
    assertRefused(tar(entry('2', "link", "dir", ""), entry('0', "link/file", "", "x")), "");
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void refusesWhatSwellsBeyondReason() throws Exception {
    Path root = Files.createDirectory(target);
    UnpackedTree tree = new UnpackedTree(root, 1_000, 100_000);

    tree.addFile("small", new ByteArrayInputStream(new byte[200_000]), 0);

    assertThatThrownBy(() -> tree.addFile("large", new ByteArrayInputStream(new byte[1]), 0))
        .hasMessageContaining("larger than");
  }

  @ParameterizedTest
  @CsvSource({
    "a.tar,    not a tar at all, it ends in the middle of a header",
    "a.tar.gz, plain,            Not in GZIP format",
    "a.zip,    plain,            not a ZIP archive",
    "a.txt,    plain,            'it is none of .zip, .jar, .tar, .tar.gz and .tgz'",
  })
  void saysWhatIsWrongWithWhatIsNoArchive(String name, String content, String message)
      throws Exception {
    Path file = Files.writeString(directory.resolve(name), content);

    assertThatThrownBy(() -> Archive.of(file, name).unpackInto(target))
        .isInstanceOf(KilnException.class)
        .hasMessageContaining(message)
        .hasMessageContaining(name)
        .hasMessageNotContaining("\n");
    assertThat(target).doesNotExist();
  }

  @Test
  void noticesThatATarIsCutShort() throws Exception {
    Path whole = tar(entry('0', "file", "", "x".repeat(2000)));
    Path cut = directory.resolve("cut.tar");
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(whole), 1500));

    assertRefused(cut, "Truncated TAR archive");
  }

  private void assertRefused(Path archive, String message) {
    assertThatThrownBy(
            () -> Archive.of(archive, archive.getFileName().toString()).unpackInto(target))
        .isInstanceOf(KilnException.class)
        .hasMessageContaining(archive.toString())
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
    assertThat(target).doesNotExist();
    assertThat(directory.resolve("evil")).doesNotExist();
  }

  /// With a long name, a program, links of both kinds and an empty directory.
  private Path makeTree(String name) throws Exception {
    Path source = Files.createDirectory(directory.resolve("source"));
    Path folder = Files.createDirectories(source.resolve(name));
    Path file = Files.writeString(folder.resolve("file.txt"), "content of a file\n".repeat(100));
    Path tool = Files.writeString(source.resolve("tool"), "#!/bin/sh\n");
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-x--x"));
    // A link's own field has 100 letters in every format but the newer two.
    Path leadsTo = source.relativize(name.contains("é") ? file : tool);
    Files.createSymbolicLink(source.resolve("link"), leadsTo);
    Files.createLink(source.resolve("twin"), tool);
    Files.createDirectory(source.resolve("empty"));
    return source;
  }

  private static void assertSame(Path expected, Path actual) throws Exception {
    List<Path> all;
    try (var paths = Files.walk(expected)) {
      all = paths.map(expected::relativize).sorted().toList();
    }
    try (var paths = Files.walk(actual)) {
      assertThat(paths.map(actual::relativize).sorted().toList()).isEqualTo(all);
    }
    for (Path path : all) {
      Path copy = actual.resolve(path);
      Path original = expected.resolve(path);
      assertThat(Files.getPosixFilePermissions(copy, LinkOption.NOFOLLOW_LINKS))
          .isEqualTo(Files.getPosixFilePermissions(original, LinkOption.NOFOLLOW_LINKS));
      assertThat(Files.isSymbolicLink(copy)).isEqualTo(Files.isSymbolicLink(original));
      if (Files.isRegularFile(original)) {
        assertThat(copy).hasSameBinaryContentAs(original);
      }
    }
  }

  private static void run(Path where, String command) throws Exception {
    Process process =
        new ProcessBuilder(command.split(" ")).directory(where.toFile()).inheritIO().start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  // ---- archives by hand -----------------------------------------------------------------------

  private Path tar(byte[]... entries) throws IOException {
    Path archive = directory.resolve("hand.tar");
    try (OutputStream out = Files.newOutputStream(archive)) {
      for (byte[] entry : entries) {
        out.write(entry);
      }
      out.write(new byte[1024]);
    }
    return archive;
  }

  private static byte[] entry(char type, String name, String target, String content)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(header(type, name, target, content.length()));
    bytes.write(Arrays.copyOf(content.getBytes(StandardCharsets.UTF_8), padded(content.length())));
    return bytes.toByteArray();
  }

  private static int padded(int length) {
    return (length + 511) / 512 * 512;
  }

  private static byte[] header(char type, String name, String target, long size) {
    byte[] header = new byte[512];
    put(header, 0, name);
    put(header, 100, "0000644");
    put(header, 124, String.format("%011o", size));
    put(header, 157, target);
    put(header, 257, "ustar");
    header[156] = (byte) type;
    Arrays.fill(header, 148, 156, (byte) ' ');
    int sum = 0;
    for (byte b : header) {
      sum += b & 0xff;
    }
    put(header, 148, String.format("%06o", sum));
    return header;
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  private record Packed(String name, String content, int mode) {}

  private final java.util.Map<String, Integer> modes = new java.util.HashMap<>();

  private void zip(Path archive, Packed... entries) throws IOException {
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(archive))) {
      for (Packed packed : entries) {
        modes.put(packed.name(), packed.mode());
        out.putNextEntry(new ZipEntry(packed.name()));
        out.write(packed.content().getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  /// The JDK's writer has no way to say them: they are written into the directory of the zip.
  private void addModes(Path archive) throws IOException {
    byte[] bytes = Files.readAllBytes(archive);
    for (int at = 0; at + 46 < bytes.length; at++) {
      if (bytes[at] == 'P' && bytes[at + 1] == 'K' && bytes[at + 2] == 1 && bytes[at + 3] == 2) {
        int length = (bytes[at + 28] & 0xff) | ((bytes[at + 29] & 0xff) << 8);
        int mode = modes.get(new String(bytes, at + 46, length, StandardCharsets.UTF_8));
        bytes[at + 5] = 3;
        bytes[at + 40] = (byte) mode;
        bytes[at + 41] = (byte) (mode >> 8);
      }
    }
    Files.write(archive, bytes);
  }
}
