package io.kiln.process;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.Map;

/// By which name or address other machines reach this one, as far as can be told.
public final class OwnHost {

  private OwnHost() {}

  /// `SPARK_LOCAL_HOSTNAME`, or `SPARK_LOCAL_IP`, or the address of the host's own name; if that is
  /// a loopback address, the first IPv4 address of an interface that is up; if there is none,
  /// `localhost`.
  public static String find(Map<String, String> environment) {
    String name = environment.getOrDefault("SPARK_LOCAL_HOSTNAME", "");
    String address = environment.getOrDefault("SPARK_LOCAL_IP", "");
    return !name.isEmpty() ? name : !address.isEmpty() ? address : find();
  }

  private static String find() {
    try {
      InetAddress own = InetAddress.getLocalHost();
      if (!own.isLoopbackAddress()) {
        return own.getHostAddress();
      }
    } catch (UnknownHostException e) {
      // then by the interfaces
    }
    try {
      for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        if (!each.isUp() || each.isLoopback() || each.isPointToPoint()) {
          continue;
        }
        for (InetAddress candidate : Collections.list(each.getInetAddresses())) {
          if (candidate instanceof Inet4Address && !candidate.isLinkLocalAddress()) {
            return candidate.getHostAddress();
          }
        }
      }
    } catch (SocketException e) {
      // then by loopback alone
    }
    return "localhost";
  }
}
