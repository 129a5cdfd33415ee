package io.kiln.standalone.web;

import com.sun.net.httpserver.HttpServer;
import io.kiln.api.KilnException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;

/// Where a server of HTTP is to listen.
///
/// @param port 0 for any; if it is taken, the next ones are tried
/// @param purpose for people, after `can't`
/// @param hostSetting, portSetting by which they may choose others
public record HttpPort(
    String host,
    int port,
    int portRetries,
    String purpose,
    String hostSetting,
    String portSetting) {
  private static final int BACKLOG = 128;
  private static final int MAX_PORT = 0xFFFF;

  /// What the JDK's server bounds, in seconds or connections, for all servers of the process; it
  /// reads them when the first is made. Who starts the JVM may say otherwise.
  private static final String[][] BOUNDS = {
    {"sun.net.httpserver.maxReqTime", "10"},
    {"sun.net.httpserver.maxRspTime", "600"},
    {"sun.net.httpserver.idleInterval", "30"},
    {"sun.net.httpserver.maxIdleConnections", "200"},
    {"jdk.httpserver.maxConnections", "1000"},
  };

  /// @return bound, and not started
  /// @throws KilnException `PORT_UNAVAILABLE`, `ADDRESS_UNAVAILABLE`
  public HttpServer open() {
    for (String[] bound : BOUNDS) {
      if (System.getProperty(bound[0]) == null) {
        System.setProperty(bound[0], bound[1]);
      }
    }
    int attempts = port == 0 ? 1 : portRetries + 1;
    int last = port == 0 ? 0 : Math.min(port + attempts - 1, MAX_PORT);
    for (int candidate = port; candidate <= last; candidate++) {
      try {
        return HttpServer.create(new InetSocketAddress(host, candidate), BACKLOG);
      } catch (BindException e) {
        if (!String.valueOf(e.getMessage()).contains("in use")) {
          throw noAddress(e);
        }
      } catch (IOException | IllegalArgumentException e) {
        throw noAddress(e);
      }
    }
    throw new KilnException(
        "PORT_UNAVAILABLE",
        KilnException.Kind.RESOURCES,
        "can't "
            + purpose
            + " on "
            + host
            + ": the ports from "
            + port
            + " to "
            + last
            + " are taken; choose another by "
            + portSetting
            + ", or raise spark.port.maxRetries");
  }

  private KilnException noAddress(Exception cause) {
    return new KilnException(
        "ADDRESS_UNAVAILABLE",
        KilnException.Kind.USER,
        "can't "
            + purpose
            + " on "
            + host
            + ": "
            + cause
            + "; give an address of this machine by "
            + hostSetting,
        cause);
  }
}
