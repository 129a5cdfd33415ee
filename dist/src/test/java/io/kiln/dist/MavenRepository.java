package io.kiln.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/// A Maven repository in a directory, filled by hand: POMs, jars and their checksums.
final class MavenRepository {
  private final Path root;
  private final Path work;

  MavenRepository(Path root, Path work) {
    this.root = root;
    this.work = work;
  }

  /// Puts in a jar of the class `acme.ARTIFACT` in capitals, which tells artifact and version.
  ///
  /// @param needs as `group:artifact:version` or `group:artifact:version:scope`
  Path put(String artifact, String version, String... needs) throws IOException {
    putPom(artifact, version, needs);
    Path jar =
        SmallJar.named(
            work,
            file(artifact, version, "jar"),
            "acme." + artifact.toUpperCase(java.util.Locale.ROOT),
            artifact + " " + version);
    addChecksum(jar);
    return jar;
  }

  void putPom(String artifact, String version, String... needs) throws IOException {
    StringBuilder pom = new StringBuilder("<project><modelVersion>4.0.0</modelVersion>");
    pom.append("<groupId>acme</groupId><artifactId>").append(artifact).append("</artifactId>");
    pom.append("<version>").append(version).append("</version><dependencies>");
    for (String need : needs) {
      String[] parts = need.split(":");
      pom.append("<dependency><groupId>").append(parts[0]).append("</groupId><artifactId>");
      pom.append(parts[1]).append("</artifactId><version>").append(parts[2]).append("</version>");
      if (parts.length > 3) {
        pom.append("<scope>").append(parts[3]).append("</scope>");
      }
      pom.append("</dependency>");
    }
    pom.append("</dependencies></project>");
    Path file = file(artifact, version, "pom");
    Files.createDirectories(file.getParent());
    addChecksum(Files.writeString(file, pom));
  }

  /// Puts in a snapshot as a repository manager keeps it: by its time, which the metadata tells.
  void putSnapshot(String artifact, String base, String time) throws IOException {
    String version = base + "-SNAPSHOT";
    Path jar = put(artifact, version);
    StringBuilder files = new StringBuilder();
    for (String extension : List.of("pom", "jar")) {
      Path file = file(artifact, version, extension);
      Path timed = jar.resolveSibling(artifact + "-" + base + "-" + time + "-1." + extension);
      addChecksum(Files.move(file, timed));
      files.append("<snapshotVersion><extension>").append(extension).append("</extension><value>");
      files.append(base).append('-').append(time).append("-1</value></snapshotVersion>");
    }
    writeMetadata(
        jar.getParent(),
        "<version>%s</version><versioning><snapshot><timestamp>%s</timestamp><buildNumber>1</buildNumber></snapshot><snapshotVersions>%s</snapshotVersions></versioning>"
            .formatted(version, time, files),
        artifact);
  }

  /// Tells which versions there are.
  void putVersions(String artifact, String... versions) throws IOException {
    StringBuilder all = new StringBuilder("<versioning><versions>");
    for (String version : versions) {
      all.append("<version>").append(version).append("</version>");
    }
    all.append("</versions></versioning>");
    writeMetadata(root.resolve("acme").resolve(artifact), all.toString(), artifact);
  }

  private static void writeMetadata(Path directory, String content, String artifact)
      throws IOException {
    addChecksum(
        Files.writeString(
            directory.resolve("maven-metadata.xml"),
            "<metadata><groupId>acme</groupId><artifactId>"
                + artifact
                + "</artifactId>"
                + content
                + "</metadata>"));
  }

  Path file(String artifact, String version, String extension) {
    return root.resolve("acme")
        .resolve(artifact)
        .resolve(version)
        .resolve(artifact + "-" + version + "." + extension);
  }

  private static void addChecksum(Path file) throws IOException {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(Files.readAllBytes(file));
      Files.writeString(Path.of(file + ".sha1"), HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
