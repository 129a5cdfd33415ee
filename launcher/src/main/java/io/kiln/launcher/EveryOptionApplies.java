package io.kiln.launcher;

/// For whoever only looks for what starts a JVM: no cluster manager ignores that.
final class EveryOptionApplies implements OptionEffects, OptionEffects.ByMaster {

  @Override
  public OptionEffects of(String master, String culprit) {
    return this;
  }

  @Override
  public String title() {
    return "any master";
  }

  @Override
  public Effect effect(SubmitOption option, boolean clusterMode) {
    return Effect.APPLIES;
  }
}
