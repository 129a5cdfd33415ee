package io.kiln.cluster.protocol;

import io.kiln.base.machine.Address;

/// @param address where the worker's machine receives
/// @param host, port at which the worker listens
/// @param cores, memoryMebibytes that it gives away, altogether
/// @param webUiUrl empty if it has none
public record WorkerDescription(
    Address address, String host, int port, int cores, int memoryMebibytes, String webUiUrl) {
  public String hostPort() {
    return host + ":" + port;
  }
}
