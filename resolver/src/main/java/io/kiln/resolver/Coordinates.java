package io.kiln.resolver;

import io.kiln.launcher.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;

/// Reads how users name artifacts.
final class Coordinates {
  private static final String FORMS =
      "write group:artifact:version, or group:artifact:jar:classifier:version";

  private Coordinates() {}

  /// `group:artifact:version` or `group/artifact:version`, as Spark has it, or with the packaging,
  /// and perhaps the classifier, before the version, as Maven has it.
  ///
  /// @param culprit the option or setting to blame
  /// @throws Refusal if one is malformed, or can't be on a class path
  static List<Artifact> parse(List<String> texts, String culprit) {
    List<Artifact> artifacts = new ArrayList<>();
    for (String text : texts) {
      artifacts.add(parse(text, culprit));
    }
    return artifacts;
  }

  private static Artifact parse(String text, String culprit) {
    int slash = text.indexOf('/');
    String spelt = slash >= 0 && slash < text.indexOf(':') ? text.replaceFirst("/", ":") : text;
    String[] parts = spelt.split(":", -1);
    if (parts.length < 3 || parts.length > 5) {
      throw malformed(text, culprit, "it has " + parts.length + " parts");
    }
    for (String part : parts) {
      if (part.isEmpty()
          || part.startsWith("..")
          || part.chars().anyMatch(Coordinates::isStrange)) {
        throw malformed(text, culprit, "the part '" + part + "' cannot be one");
      }
    }
    String version = parts[parts.length - 1];
    if (version.endsWith("+") || version.startsWith("latest.")) {
      throw new Refusal(
          culprit
              + " names "
              + text
              + ": "
              + version
              + " is Ivy's way to say a version; use one as 1.2.3, or Maven's [1.2,1.3)");
    }
    String packaging = parts.length > 3 ? parts[2] : "jar";
    if (!packaging.equals("jar") && !packaging.equals("pom")) {
      throw new Refusal(
          culprit
              + " names "
              + text
              + ", which is a "
              + packaging
              + ": only a jar can be on a class path (a pom stands for what it needs)");
    }
    return new DefaultArtifact(
        parts[0], parts[1], parts.length > 4 ? parts[3] : "", packaging, version);
  }

  private static boolean isStrange(int c) {
    return c <= ' ' || c == '/' || c == '\\' || c == '"' || c == '\'' || c == '<' || c == '>';
  }

  private static Refusal malformed(String text, String culprit, String why) {
    return new Refusal(
        culprit + " names '" + text + "', which is no Maven coordinate: " + why + "; " + FORMS);
  }

  /// Without what is as usual.
  static String shown(Artifact artifact) {
    StringBuilder text = new StringBuilder(artifact.getGroupId());
    text.append(':').append(artifact.getArtifactId());
    if (!artifact.getExtension().equals("jar") || !artifact.getClassifier().isEmpty()) {
      text.append(':').append(artifact.getExtension());
    }
    if (!artifact.getClassifier().isEmpty()) {
      text.append(':').append(artifact.getClassifier());
    }
    return text.append(':').append(artifact.getVersion()).toString();
  }
}
