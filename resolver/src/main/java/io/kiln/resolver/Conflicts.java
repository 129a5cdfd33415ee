package io.kiln.resolver;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.aether.graph.DependencyNode;
import org.eclipse.aether.util.graph.transformer.ConflictResolver;

/// Finds which versions gave way to which.
final class Conflicts {
  private final String culprit;
  private final IdentityHashMap<DependencyNode, DependencyNode> parents = new IdentityHashMap<>();
  private final List<DependencyNode> nodes = new ArrayList<>();

  private Conflicts(String culprit) {
    this.culprit = culprit;
  }

  /// A line each.
  ///
  /// @param root above what was asked for
  /// @param culprit who asked for that
  static List<String> in(DependencyNode root, String culprit) {
    Conflicts conflicts = new Conflicts(culprit);
    conflicts.collect(root);
    return conflicts.lines();
  }

  private void collect(DependencyNode node) {
    for (DependencyNode child : node.getChildren()) {
      if (parents.putIfAbsent(child, node) == null) {
        nodes.add(child);
        collect(child);
      }
    }
  }

  private List<String> lines() {
    Set<String> lines = new LinkedHashSet<>();
    for (DependencyNode loser : nodes) {
      if (loser.getData().get(ConflictResolver.NODE_DATA_WINNER) instanceof DependencyNode winner
          && !winner.getArtifact().getVersion().equals(loser.getArtifact().getVersion())) {
        lines.add(asked(loser) + ", gives way to " + asked(winner));
      }
    }
    return List.copyOf(lines);
  }

  private String asked(DependencyNode node) {
    DependencyNode parent = parents.get(node);
    return Coordinates.shown(node.getArtifact())
        + ", asked for by "
        + (parent == null || parent.getArtifact() == null
            ? culprit
            : Coordinates.shown(parent.getArtifact()));
  }
}
