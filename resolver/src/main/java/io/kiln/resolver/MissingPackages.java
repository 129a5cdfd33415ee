package io.kiln.resolver;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.graph.DependencyNode;
import org.eclipse.aether.repository.ArtifactRepository;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyResolutionException;
import org.eclipse.aether.transfer.ArtifactNotFoundException;
import org.eclipse.aether.transfer.ChecksumFailureException;

/// Says in one line what could not be had, and of each place that was tried why not there.
///
/// @param repositories the remote ones that were tried
/// @param wanted what the user asked for
record MissingPackages(
    RepositorySystemSession session, List<RemoteRepository> repositories, List<Artifact> wanted) {

  String explain(DependencyResolutionException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ArtifactResolutionException unresolved) {
        List<ArtifactResult> missing = new ArrayList<>(unresolved.getResults());
        missing.removeIf(ArtifactResult::isResolved);
        if (!missing.isEmpty()) {
          return explain(missing, failure.getResult().getRoot());
        }
      }
    }
    return deepest(failure);
  }

  /// What the cause of all causes says.
  static String deepest(Throwable failure) {
    Throwable last = failure;
    while (last.getCause() != null) {
      last = last.getCause();
    }
    return line(last.getMessage() == null ? last.toString() : last.getMessage());
  }

  private String explain(List<ArtifactResult> missing, DependencyNode root) {
    ArtifactResult first = missing.getFirst();
    Artifact artifact = first.getRequest().getArtifact();
    StringBuilder text = new StringBuilder(shown(artifact));
    String parent = root == null ? "" : neededBy(artifact, root);
    if (!parent.isEmpty()) {
      text.append(", which ").append(parent).append(" needs,");
    }
    text.append(" can't be had: not in ").append(session.getLocalRepository().getBasePath());
    for (RemoteRepository repository : repositories) {
      text.append("; ").append(reason(first, repository));
    }
    if (missing.size() > 1) {
      text.append("; nor can ").append(missing.size() - 1).append(" more, such as ");
      text.append(shown(missing.get(1).getRequest().getArtifact()));
    }
    return text.toString();
  }

  /// The POM stands for the package that it is of.
  private static String shown(Artifact artifact) {
    return artifact.getExtension().equals("pom")
        ? artifact.getGroupId() + ":" + artifact.getArtifactId() + ":" + artifact.getVersion()
        : Coordinates.shown(artifact);
  }

  private static String reason(ArtifactResult result, RemoteRepository repository) {
    for (var entry : result.getMappedExceptions().entrySet()) {
      ArtifactRepository place = entry.getKey();
      if (place instanceof RemoteRepository tried && tried.getId().equals(repository.getId())) {
        for (Exception exception : entry.getValue()) {
          if (!(exception instanceof ArtifactNotFoundException)) {
            return Repositories.shown(repository) + " " + why(exception);
          }
        }
      }
    }
    return "not in " + Repositories.shown(repository);
  }

  private static String why(Exception exception) {
    for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
      switch (cause) {
        case UnknownHostException _ -> {
          return "can't be reached: the host is not known";
        }
        case ConnectException _ -> {
          return "can't be reached: connection refused";
        }
        case NoRouteToHostException _ -> {
          return "can't be reached: there is no way to the host";
        }
        case SocketTimeoutException _ -> {
          return "gives no answer";
        }
        case ChecksumFailureException _ -> {
          return "gives it damaged: " + line(cause.getMessage());
        }
        default -> {}
      }
    }
    return "fails: " + line(exception.getMessage());
  }

  private String neededBy(Artifact artifact, DependencyNode root) {
    for (DependencyNode child : root.getChildren()) {
      boolean same =
          child.getArtifact().getArtifactId().equals(artifact.getArtifactId())
              && child.getArtifact().getGroupId().equals(artifact.getGroupId())
              && child.getArtifact().getVersion().equals(artifact.getVersion());
      String parent =
          same && root.getArtifact() != null
              ? Coordinates.shown(root.getArtifact())
              : neededBy(artifact, child);
      if (!parent.isEmpty()) {
        return parent;
      }
    }
    return "";
  }

  /// On one line.
  static String line(String text) {
    return String.valueOf(text).strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
