package io.kiln.submit;

import io.kiln.base.settings.Master;
import io.kiln.launcher.ClusterManager;
import io.kiln.launcher.Refusal;

/// Refuses what can't be run on.
final class MasterUrl {

  private MasterUrl() {}

  /// @param text as given with `--master`
  /// @param culprit the option or setting to blame
  /// @throws Refusal if this version can't run there, or it isn't a master at all
  static void check(String text, String culprit) {
    if (Master.parse(text).isPresent()) {
      return;
    }
    String manager = otherManager(text);
    throw new Refusal(
        manager.isEmpty()
            ? "%s is '%s', which names no master: use %s, with whole numbers from 1"
                .formatted(culprit, text, Master.FORMS)
            : "%s is %s: %s is not available in this version; use %s"
                .formatted(culprit, text, manager, Master.FORMS));
  }

  private static String otherManager(String text) {
    if (text.startsWith("mesos://") || text.startsWith("zk://")) {
      return "Mesos, which is retired,";
    }
    ClusterManager manager = ClusterManager.of(text);
    return manager == ClusterManager.LOCAL || text.startsWith("local") ? "" : manager.title();
  }
}
