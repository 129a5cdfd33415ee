package io.kiln.resolver;

import io.kiln.launcher.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.collection.DependencyCollectionContext;
import org.eclipse.aether.collection.DependencySelector;
import org.eclipse.aether.graph.Dependency;

/// Leaves out artifacts wherever they turn up: what the user excludes, and what the engine gives
/// the application anyway. Immutable; thread-safe.
final class Exclusions implements DependencySelector {
  private static final String OF_ENGINE = "io.kiln:*";
  private static final String SHARED = "org.slf4j:slf4j-api";

  private final List<Pattern> patterns;

  private Exclusions(List<Pattern> patterns) {
    this.patterns = patterns;
  }

  /// @param texts `group:artifact`, where `*` stands for anything, also within a part
  /// @param ownFirst whether the application's SLF4J comes before the engine's; else the
  ///     application would never see its own
  /// @param culprit the option or setting to blame
  /// @throws Refusal if one is malformed
  static Exclusions of(List<String> texts, boolean ownFirst, String culprit) {
    List<Pattern> patterns = new ArrayList<>();
    patterns.add(pattern(OF_ENGINE));
    if (!ownFirst) {
      patterns.add(pattern(SHARED));
    }
    for (String text : texts) {
      int colon = text.indexOf(':');
      if (colon <= 0 || colon == text.length() - 1 || text.indexOf(':', colon + 1) >= 0) {
        throw new Refusal(
            culprit + " names '" + text + "', but must name group:artifact, as in com.acme:*");
      }
      patterns.add(pattern(text));
    }
    return new Exclusions(patterns);
  }

  private static Pattern pattern(String text) {
    StringBuilder regex = new StringBuilder();
    for (String literal : text.split("\\*", -1)) {
      regex.append(regex.isEmpty() ? "" : "[^:]*").append(Pattern.quote(literal));
    }
    return Pattern.compile(regex.toString());
  }

  boolean excludes(Artifact artifact) {
    String name = artifact.getGroupId() + ":" + artifact.getArtifactId();
    for (Pattern pattern : patterns) {
      if (pattern.matcher(name).matches()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean selectDependency(Dependency dependency) {
    return !excludes(dependency.getArtifact());
  }

  @Override
  public DependencySelector deriveChildSelector(DependencyCollectionContext context) {
    return this;
  }
}
