package io.kiln.launcher;

/// What the options of `spark-submit` do where a submission goes.
public interface OptionEffects {

  /// What becomes of an option.
  enum Effect {
    /// It sets [#setting], or acts by itself.
    APPLIES,
    /// It has no effect there, which the user is told.
    IGNORED,
    REFUSED
  }

  /// Finds out where submissions go.
  interface ByMaster {
    /// @param culprit the option or setting that gives the master
    /// @throws Refusal if nothing is reached by this master
    OptionEffects of(String master, String culprit);
  }

  /// Where the submission goes, as a message names it.
  String title();

  /// @param clusterMode whether the driver runs in the cluster
  Effect effect(SubmitOption option, boolean clusterMode);

  /// The `spark.*` key that the option sets where it applies; empty where it sets none.
  default String setting(SubmitOption option) {
    return option.setting();
  }

  /// Why an option that was given has no effect.
  default String ignored(SubmitOption option, boolean clusterMode) {
    boolean onlyThisMode = effect(option, !clusterMode) == Effect.APPLIES;
    String mode = clusterMode ? " in cluster mode" : " in client mode";
    return "Ignoring "
        + option.spelling()
        + ": it has no effect"
        + (onlyThisMode ? mode : "")
        + " on "
        + title();
  }
}
