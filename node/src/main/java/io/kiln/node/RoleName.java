package io.kiln.node;

import java.util.Optional;

/// As what a process of a cluster introduces itself, and proves that it is.
public enum RoleName {
  MASTER("master", "Master"),
  WORKER("worker", "Worker"),
  /// Whose driver runs anywhere.
  APPLICATION("application", "AppClient"),
  /// An application whose driver runs in the cluster; the driver's id follows.
  DRIVER("driver/", "AppClient"),
  /// Who submits and asks.
  CLIENT("client", "Client");

  private final String prefix;
  private final String machine;

  RoleName(String prefix, String machine) {
    this.prefix = prefix;
    this.machine = machine;
  }

  /// The whole name, or what a driver's begins with.
  public String prefix() {
    return prefix;
  }

  /// What receives in such a process.
  String machine() {
    return machine;
  }

  /// @return empty if no process of a cluster calls itself so
  static Optional<RoleName> of(String name) {
    for (RoleName role : values()) {
      if (role == DRIVER
          ? name.startsWith(role.prefix) && name.length() > role.prefix.length()
          : name.equals(role.prefix)) {
        return Optional.of(role);
      }
    }
    return Optional.empty();
  }
}
