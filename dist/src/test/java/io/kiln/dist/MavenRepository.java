package io.kiln.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

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
