package io.kiln.resolver;

import io.kiln.launcher.Refusal;
import io.kiln.submit.packages.PackageRequest;
import io.kiln.submit.packages.PackageResolver;
import io.kiln.submit.packages.ResolvedPackages;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.RepositorySystemSession.CloseableSession;
import org.eclipse.aether.RepositorySystemSession.SessionBuilder;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.graph.DependencyFilter;
import org.eclipse.aether.repository.LocalRepository;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;
import org.eclipse.aether.resolution.DependencyResult;
import org.eclipse.aether.supplier.SessionBuilderSupplier;
import org.eclipse.aether.util.artifact.ArtifactIdUtils;
import org.eclipse.aether.util.artifact.JavaScopes;
import org.eclipse.aether.util.filter.DependencyFilterUtils;
import org.eclipse.aether.util.graph.selector.AndDependencySelector;
import org.eclipse.aether.util.graph.transformer.ConflictResolver;
import org.eclipse.aether.util.repository.SimpleArtifactDescriptorPolicy;

/// Resolves packages as Maven would as dependencies of a program, at run time: with what they need,
/// of several versions the one that is nearest to what was asked for; of two that were asked for,
/// the last.
///
/// What the local repository has whole is taken from there, from whichever repository it came, and
/// nobody is asked; so once fetched, a package needs no network. Repositories that a package's own
/// POM names are not looked in.
///
/// Stateless.
public final class MavenPackages implements PackageResolver {

  /// The resolver's name for a local repository in which a file counts only for those repositories
  /// from which it came, as in Maven.
  private static final String USUAL = "default";

  /// And for one in which a file that is there is there.
  private static final String WITHOUT_ORIGINS = "simple";

  private static final DependencyFilter AT_RUN_TIME =
      DependencyFilterUtils.andFilter(
          DependencyFilterUtils.classpathFilter(JavaScopes.RUNTIME),
          (node, _) -> !node.getData().containsKey(ConflictResolver.NODE_DATA_WINNER));

  @Override
  public ResolvedPackages resolve(PackageRequest request, LongConsumer progress) {
    Map<String, String> environment = System.getenv();
    List<Artifact> wanted =
        Coordinates.parse(request.coordinates(), request.culprits().coordinates());
    Exclusions exclusions =
        Exclusions.of(request.exclusions(), request.ownFirst(), request.culprits().exclusions());
    UserSettings settings = UserSettings.read(environment);
    LocalRepositoryChoice kept =
        LocalRepositoryChoice.make(
            request.localRepository(),
            settings.localRepository(),
            environment.getOrDefault("XDG_CACHE_HOME", ""));
    List<RemoteRepository> remote =
        Repositories.of(request.repositories(), settings, request.culprits().repositories());

    List<String> warnings = new ArrayList<>(settings.warnings());
    warnings.addAll(kept.warnings());
    addWarnings(wanted, exclusions, request.culprits().coordinates(), warnings);
    try (RepositorySystem system = new StrictSupplier().get();
        CloseableSession fromRemote =
            session(system, settings, kept.repositories(USUAL), exclusions)
                .setTransferListener(new TransferredBytes(progress))
                .build();
        CloseableSession fromLocal =
            session(system, settings, kept.repositories(WITHOUT_ORIGINS), exclusions)
                .setArtifactDescriptorPolicy(new SimpleArtifactDescriptorPolicy(false, false))
                .build()) {
      List<String> notes = new ArrayList<>();
      DependencyResult result =
          onlyFromLocal(system, fromLocal, wanted, notes)
              .orElseGet(
                  () -> {
                    List<RemoteRepository> effective =
                        system.newResolutionRepositories(fromRemote, remote);
                    return fromRemote(
                        system, fromRemote, wanted, effective, request.culprits().coordinates());
                  });
      addNotes(result, notes);
      notes.addAll(Conflicts.in(result.getRoot(), request.culprits().coordinates()));
      return new ResolvedPackages(jars(result), warnings, notes);
    }
  }

  private static void addWarnings(
      List<Artifact> wanted, Exclusions exclusions, String culprit, List<String> warnings) {
    Map<String, Artifact> versions = new HashMap<>();
    for (Artifact artifact : wanted) {
      if (exclusions.excludes(artifact)) {
        warnings.add(
            Coordinates.shown(artifact)
                + " is left out: it is excluded, or the engine gives it to every application");
      }
      Artifact before = versions.put(ArtifactIdUtils.toVersionlessId(artifact), artifact);
      if (before != null && !before.getVersion().equals(artifact.getVersion())) {
        warnings.add(
            culprit
                + " asks for "
                + Coordinates.shown(before)
                + " and for "
                + artifact.getVersion()
                + ": the last is used");
      }
    }
  }

  private static SessionBuilder session(
      RepositorySystem system,
      UserSettings settings,
      List<LocalRepository> kept,
      Exclusions exclusions) {
    SessionBuilderSupplier maven = new SessionBuilderSupplier(system);
    SessionBuilder session =
        maven
            .get()
            .withLocalRepositories(kept)
            .setIgnoreArtifactDescriptorRepositories(true)
            .setDependencySelector(
                new AndDependencySelector(maven.getDependencySelector(), exclusions))
            .setSystemProperties(System.getProperties())
            .setConfigProperty(
                ConflictResolver.CONFIG_PROP_VERBOSE, ConflictResolver.Verbosity.STANDARD);
    settings.apply(session);
    return session;
  }

  /// @param notes gets why not, if not
  /// @return empty if something isn't there, or could be newer elsewhere
  private static Optional<DependencyResult> onlyFromLocal(
      RepositorySystem system,
      RepositorySystemSession session,
      List<Artifact> wanted,
      List<String> notes) {
    for (Artifact artifact : wanted) {
      if (isOpen(artifact.getVersion())) {
        return Optional.empty();
      }
    }
    try {
      return Optional.of(system.resolveDependencies(session, request(wanted, List.of())));
    } catch (DependencyResolutionException e) {
      notes.add("Not all is in the local repository: " + MissingPackages.deepest(e));
      return Optional.empty();
    }
  }

  private static boolean isOpen(String version) {
    return version.endsWith("-SNAPSHOT")
        || version.equals("LATEST")
        || version.equals("RELEASE")
        || version.startsWith("[")
        || version.startsWith("(");
  }

  private static DependencyResult fromRemote(
      RepositorySystem system,
      RepositorySystemSession session,
      List<Artifact> wanted,
      List<RemoteRepository> repositories,
      String culprit) {
    try {
      return system.resolveDependencies(session, request(wanted, repositories));
    } catch (DependencyResolutionException e) {
      throw new Refusal(
          culprit + ": " + new MissingPackages(session, repositories, wanted).explain(e));
    }
  }

  private static DependencyRequest request(
      List<Artifact> wanted, List<RemoteRepository> repositories) {
    CollectRequest collect = new CollectRequest().setRepositories(repositories);
    for (Artifact artifact : wanted) {
      collect.addDependency(new Dependency(artifact, JavaScopes.RUNTIME));
    }
    return new DependencyRequest(collect, AT_RUN_TIME);
  }

  private static List<Path> jars(DependencyResult result) {
    List<Path> jars = new ArrayList<>();
    for (ArtifactResult resolved : result.getArtifactResults()) {
      if (resolved.getArtifact().getExtension().equals("jar")) {
        jars.add(resolved.getArtifact().getPath());
      }
    }
    return jars;
  }

  private static void addNotes(DependencyResult result, List<String> notes) {
    for (ArtifactResult resolved : result.getArtifactResults()) {
      notes.add(
          Coordinates.shown(resolved.getArtifact())
              + (resolved.getRepository() instanceof RemoteRepository from
                  ? ", fetched from " + Repositories.shown(from)
                  : ", from the local repository"));
    }
  }
}
