package io.kiln.launcher;

/// Who runs an application's executors, as its master names it.
public enum ClusterManager {
  LOCAL(0, "a local master"),
  LOCAL_CLUSTER(3, "a cluster of local processes"),
  STANDALONE(6, "the standalone cluster manager"),
  YARN(9, "YARN"),
  KUBERNETES(12, "Kubernetes");

  private final int column;
  private final String title;

  ClusterManager(int column, String title) {
    this.column = column;
    this.title = title;
  }

  /// As a message names it.
  public String title() {
    return title;
  }

  /// @param master may be null, which stands for the default; what names no master counts as local
  public static ClusterManager of(String master) {
    if (master == null) {
      return LOCAL;
    }
    if (master.startsWith("local-cluster")) {
      return LOCAL_CLUSTER;
    }
    if (master.startsWith("spark://")) {
      return STANDALONE;
    }
    if (master.equals("yarn") || master.equals("yarn-client") || master.equals("yarn-cluster")) {
      return YARN;
    }
    return master.startsWith("k8s://") ? KUBERNETES : LOCAL;
  }

  /// This manager's cell in a row of a table such as `ab ab ab ab ab`: two letters a manager, in
  /// the order above, for client and for cluster mode.
  public char cell(String row, boolean clusterMode) {
    return row.charAt(column + (clusterMode ? 1 : 0));
  }
}
