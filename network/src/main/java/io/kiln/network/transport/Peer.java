package io.kiln.network.transport;

/// Who is at the other end of a connection, as it introduced itself and, where there is a secret,
/// proved.
///
/// @param process `driver`, `executor-3`, …
/// @param incarnation grows with each start of the process
/// @param engineVersion of its Kiln
public record Peer(String process, long incarnation, String engineVersion) {

  @Override
  public String toString() {
    return process + " (incarnation " + incarnation + ")";
  }
}
