package io.kiln.cluster.protocol;

import io.kiln.base.machine.HostList;
import java.util.List;

/// How many executors an application wants, and where. Replaces every request of the application
/// with a lower number, whichever master took that.
///
/// @param number counts the requests of one application; what has none higher is stale
/// @param total all executors together; [#NO_LIMIT]: as many as the application may have
/// @param wantedHosts whose workers are preferred
/// @param avoidedHosts whose workers give it no executor any more; those that it has there stay
public record ExecutorRequest(
    long number, int total, List<String> wantedHosts, List<String> avoidedHosts) {
  public static final int NO_LIMIT = Integer.MAX_VALUE;

  /// @throws IllegalArgumentException if a master could not keep or honour it
  public ExecutorRequest {
    if (number < 0 || total < 0) {
      throw new IllegalArgumentException("request " + number + " of " + total + " executors");
    }
    wantedHosts = HostList.checked(wantedHosts);
    avoidedHosts = HostList.checked(avoidedHosts);
  }

  /// The first of an application.
  public static ExecutorRequest first(int total) {
    return new ExecutorRequest(0, total, List.of(), List.of());
  }

  /// Whether it asks for the same, whatever its number.
  public boolean asksAs(int otherTotal, List<String> otherWanted, List<String> otherAvoided) {
    return total == otherTotal
        && wantedHosts.equals(otherWanted)
        && avoidedHosts.equals(otherAvoided);
  }

  /// The one after this.
  public ExecutorRequest next(int newTotal, List<String> newWanted, List<String> newAvoided) {
    return new ExecutorRequest(number + 1, newTotal, newWanted, newAvoided);
  }
}
