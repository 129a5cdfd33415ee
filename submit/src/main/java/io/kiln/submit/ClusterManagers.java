package io.kiln.submit;

import io.kiln.launcher.OptionEffects;
import io.kiln.launcher.Refusal;
import io.kiln.submit.cluster.ClusterManager;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/// The cluster managers of this installation. Used by one thread.
///
/// A local master loads none of those of other rooms; another loads what describes them, a class
/// each.
final class ClusterManagers implements OptionEffects.ByMaster {
  private final List<ClusterManager> registered = new ArrayList<>();

  /// @throws Refusal if the master is meant for none of them, or not well-formed
  @Override
  public ClusterManager of(String master, String culprit) {
    ClusterManager manager = meantBy(master, culprit);
    if (!manager.understands(master)) {
      throw noMaster(master, culprit, manager.masterForm());
    }
    return manager;
  }

  private ClusterManager meantBy(String master, String culprit) {
    for (ClusterManager own : OwnMachine.values()) {
      if (own.isMeantBy(master.strip())) {
        return own;
      }
    }
    for (ClusterManager other : others()) {
      if (other.isMeantBy(master)) {
        return other;
      }
    }
    String absent = absent(master);
    throw absent.isEmpty()
        ? noMaster(master, culprit, forms())
        : new Refusal(
            "%s is %s: %s is not available in this version; use %s"
                .formatted(culprit, master, absent, forms()));
  }

  private static Refusal noMaster(String master, String culprit, String forms) {
    return new Refusal(
        "%s is '%s', which names no master: use %s, with whole numbers from 1"
            .formatted(culprit, master, forms));
  }

  private List<ClusterManager> others() {
    if (registered.isEmpty()) {
      ServiceLoader.load(ClusterManager.class, ClusterManagers.class.getClassLoader())
          .forEach(registered::add);
    }
    return registered;
  }

  List<ClusterManager> all() {
    List<ClusterManager> all = new ArrayList<>(List.of(OwnMachine.values()));
    all.addAll(others());
    return all;
  }

  /// How masters are written, for people.
  private String forms() {
    List<String> forms = all().stream().map(ClusterManager::masterForm).toList();
    return String.join(", ", forms.subList(0, forms.size() - 1)) + " or " + forms.getLast();
  }

  /// The manager that Spark's users would reach by this master; empty if there is none.
  private static String absent(String master) {
    if (master.startsWith("mesos://") || master.startsWith("zk://")) {
      return "Mesos, which is retired,";
    }
    return master.startsWith("yarn") ? "YARN" : master.startsWith("k8s://") ? "Kubernetes" : "";
  }
}
