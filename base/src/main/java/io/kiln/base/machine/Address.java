package io.kiln.base.machine;

/// Where a machine receives. Within one process nothing is lost or reordered; between processes
/// anything may be.
///
/// @param process `driver`, `executor-3`, …
/// @param name of the machine or edge in that process
public record Address(String process, String name) {

  @Override
  public String toString() {
    return process + "/" + name;
  }
}
