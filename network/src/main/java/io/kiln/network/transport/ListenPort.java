package io.kiln.network.transport;

import io.kiln.api.KilnException;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Setting;
import io.kiln.base.settings.Settings;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The port on which a server is to listen, and what is done where it is taken. A port that
/// somebody named is that one or none: others have been told it too, and would take whoever holds
/// it for this server. Only a port that nobody named may be passed over for the next.
///
/// @param port 0 for any
/// @param more how many of the next ports may be tried
/// @param setting by which another is chosen
public record ListenPort(int port, int more, String setting) {
  private static final Logger LOG = LoggerFactory.getLogger(ListenPort.class);
  private static final int MAX_PORT = 0xFFFF;

  /// Binds one address.
  ///
  /// @param <T> what is bound
  public interface Binding<T> {
    T bind(InetSocketAddress address) throws IOException;
  }

  /// One that is free.
  public static ListenPort any() {
    return new ListenPort(0, 0, "");
  }

  /// That one and no other.
  public static ListenPort exactly(int port, String setting) {
    return new ListenPort(port, 0, setting);
  }

  /// As a setting says, whose default is a port that nobody named.
  public static ListenPort of(Settings settings, Setting<Integer> setting) {
    int port = settings.get(setting);
    return settings.isSet(setting)
        ? named(settings, port, setting.key())
        : usual(settings, port, setting.key());
  }

  /// That one, or one of the range that `spark.port.maxRetries` names with it.
  public static ListenPort named(Settings settings, int port, String setting) {
    boolean range = settings.isSet(NetworkSettings.PORT_MAX_RETRIES);
    return range ? usual(settings, port, setting) : exactly(port, setting);
  }

  /// That one if it is free, or the next that is.
  public static ListenPort usual(Settings settings, int port, String setting) {
    return new ListenPort(port, settings.get(NetworkSettings.PORT_MAX_RETRIES), setting);
  }

  /// @param purpose for people, after `can't`
  /// @param host of the interface
  /// @param hostSetting by which another is chosen
  /// @throws KilnException `PORT_UNAVAILABLE`, `ADDRESS_UNAVAILABLE`
  public <T> T open(String purpose, String host, String hostSetting, Binding<T> binding) {
    int last = port == 0 ? 0 : Math.min(port + more, MAX_PORT);
    for (int candidate = port; candidate <= last; candidate++) {
      try {
        T bound = binding.bind(new InetSocketAddress(host, candidate));
        if (candidate > port) {
          LOG.warn(
              "Port {} is taken{}: port {} is used to {}", port, holder(port), candidate, purpose);
        }
        return bound;
      } catch (IOException | IllegalArgumentException e) {
        if (!String.valueOf(e.getMessage()).contains("in use")) {
          throw noAddress(purpose, host, hostSetting, e);
        }
      }
    }
    throw new KilnException(
        "PORT_UNAVAILABLE",
        KilnException.Kind.RESOURCES,
        "can't "
            + purpose
            + " on "
            + host
            + ": "
            + (port == last
                ? "port " + port + " is taken" + holder(port)
                : "the ports from " + port + " to " + last + " are taken")
            + "; choose another"
            + (setting.isEmpty() ? "" : " by " + setting)
            + ", or let the next ones be tried by "
            + NetworkSettings.PORT_MAX_RETRIES.key());
  }

  private static String holder(int port) {
    return PortHolder.find(port).map(holder -> " by " + holder).orElse("");
  }

  private static KilnException noAddress(
      String purpose, String host, String hostSetting, Exception cause) {
    return new KilnException(
        "ADDRESS_UNAVAILABLE",
        KilnException.Kind.USER,
        "can't "
            + purpose
            + " on "
            + host
            + ": "
            + Causes.line(cause)
            + "; give an address of this machine"
            + (hostSetting.isEmpty() ? "" : " by " + hostSetting),
        cause);
  }
}
