package io.kiln.base.machine;

/// Where a machine receives. Within one process nothing is lost or reordered; between processes
/// anything may be.
///
/// @param process `driver`, `executor-3`, …
/// @param name of the machine or edge in that process
public record Address(String process, String name) {

  // Written out: those that a record comes with take milliseconds of a cold start.
  @Override
  public boolean equals(Object other) {
    return other instanceof Address(String otherProcess, String otherName)
        && name.equals(otherName)
        && process.equals(otherProcess);
  }

  @Override
  public int hashCode() {
    return 31 * process.hashCode() + name.hashCode();
  }

  @Override
  public String toString() {
    return process + "/" + name;
  }
}
