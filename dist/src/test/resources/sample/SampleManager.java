package sample;

import io.kiln.launcher.SubmitOption;
import io.kiln.submit.cluster.ApplicationKind;
import io.kiln.submit.cluster.ClusterClient;
import io.kiln.submit.cluster.ClusterManager;
import java.util.Optional;

/// A cluster manager of another room, as small as one can be: `sample://N` has N executors, on this
/// machine.
public final class SampleManager implements ClusterManager {
  static final String SCHEME = "sample://";

  @Override
  public String word() {
    return "sample";
  }

  @Override
  public String title() {
    return "the sample manager";
  }

  @Override
  public String masterForm() {
    return "sample://N";
  }

  @Override
  public boolean isMeantBy(String master) {
    return master.startsWith(SCHEME);
  }

  @Override
  public boolean understands(String master) {
    return master.matches("sample://[1-9]");
  }

  @Override
  public boolean runs(ApplicationKind kind, boolean clusterMode) {
    return kind == ApplicationKind.JAR;
  }

  @Override
  public Effect effect(SubmitOption option, boolean clusterMode) {
    return switch (option) {
      case QUEUE -> Effect.APPLIES;
      case SUPERVISE -> Effect.IGNORED;
      case PY_FILES -> Effect.REFUSED;
      default -> Effect.APPLIES;
    };
  }

  @Override
  public String setting(SubmitOption option) {
    return option == SubmitOption.QUEUE ? "spark.sample.queue" : option.setting();
  }

  @Override
  public Optional<ClusterClient> client() {
    return Optional.of(new SampleClient());
  }
}
