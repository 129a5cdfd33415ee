package io.kiln.standalone.submit;

import io.kiln.launcher.SubmitOption;
import io.kiln.node.ClusterUrl;
import io.kiln.submit.cluster.ApplicationKind;
import io.kiln.submit.cluster.ClusterClient;
import io.kiln.submit.cluster.ClusterManager;
import java.util.Optional;

/// Says what `spark-submit` can do on a standalone cluster.
public final class StandaloneManager implements ClusterManager {

  @Override
  public String word() {
    return "standalone";
  }

  @Override
  public String title() {
    return "the standalone cluster manager";
  }

  @Override
  public String masterForm() {
    return ClusterUrl.FORM;
  }

  @Override
  public boolean isMeantBy(String master) {
    return master.startsWith(ClusterUrl.SCHEME);
  }

  @Override
  public boolean understands(String master) {
    return ClusterUrl.parse(master).isPresent();
  }

  @Override
  public boolean runs(ApplicationKind kind, boolean clusterMode) {
    return !clusterMode || kind == ApplicationKind.JAR;
  }

  @Override
  public Effect effect(SubmitOption option, boolean clusterMode) {
    return switch (option) {
      case DRIVER_CORES, SUPERVISE -> clusterMode ? Effect.APPLIES : Effect.IGNORED;
      case QUEUE, PRINCIPAL, KEYTAB -> Effect.IGNORED;
      // The driver is its worker's process, whose login is no submitter's to act by.
      case PROXY_USER -> clusterMode ? Effect.REFUSED : Effect.APPLIES;
      case PY_FILES -> Effect.REFUSED;
      default -> Effect.APPLIES;
    };
  }

  @Override
  public String refusal(SubmitOption option, String master) {
    return option == SubmitOption.PROXY_USER
        ? "has no effect in cluster mode on a standalone cluster, where the driver acts as its"
            + " worker's user: leave it out, or use --deploy-mode client"
        : ClusterManager.super.refusal(option, master);
  }

  @Override
  public Optional<ClusterClient> client() {
    return Optional.of(new StandaloneClient());
  }
}
