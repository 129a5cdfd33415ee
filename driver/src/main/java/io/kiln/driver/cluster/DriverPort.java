package io.kiln.driver.cluster;

import io.kiln.api.Version;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Settings;
import io.kiln.network.security.Credentials;
import io.kiln.network.transport.ListenPort;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.Transport;
import io.kiln.process.NetworkSetup;
import io.kiln.process.SharedSecret;
import io.kiln.protocol.DataHolder;
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.storage.block.BlockReports;
import io.kiln.storage.remote.BroadcastOptions;
import io.kiln.storage.remote.DepartureOptions;
import io.kiln.storage.remote.FetchOptions;
import io.kiln.storage.remote.Peers;
import io.kiln.storage.remote.StorageProtocol;
import java.util.Optional;

/// The port at which executors reach the driver. It is taken before the application has an id, as a
/// cluster gives the id only to who says where its driver is. An executor that connects early waits
/// until an [ExecutorFleet] hears it. Thread-safe.
public final class DriverPort implements AutoCloseable {
  static final String DRIVER = "driver";

  private final Settings settings;
  private final Transport transport;
  private final NodeAddress address;
  private final LinkedExecutors executors;
  private final FleetLocations locations;

  private DriverPort(
      Settings settings,
      Transport transport,
      NodeAddress address,
      LinkedExecutors executors,
      FleetLocations locations) {
    this.settings = settings;
    this.transport = transport;
    this.address = address;
    this.executors = executors;
    this.locations = locations;
  }

  /// Takes the port that the settings name.
  ///
  /// @param usualHost by which executors reach the driver, if no setting says otherwise
  /// @param machines hear of executors
  /// @throws io.kiln.api.KilnException `ADDRESS_UNAVAILABLE`, `PORT_UNAVAILABLE`
  public static DriverPort take(
      Settings settings, Optional<SharedSecret> secret, String usualHost, Machines machines) {
    LinkedExecutors executors = new LinkedExecutors(machines);
    Peer self = new Peer(DRIVER, System.currentTimeMillis(), Version.CURRENT);
    Transport transport =
        new Transport(
            NetworkSetup.options(
                settings, self, secret.map(SharedSecret::bytes).map(Credentials::ofAll)),
            ExecutorProtocol.codec(StorageProtocol::register),
            executors);
    try {
      NodeAddress address = bind(transport, settings, usualHost);
      OutputQuestions outputs =
          new OutputQuestions(machines, NetworkSetup.askTimeout(settings).toMillis());
      return new DriverPort(
          settings,
          transport,
          address,
          executors,
          new FleetLocations(executors, outputs, new DataHolder(DRIVER, address)));
    } catch (RuntimeException | Error e) {
      transport.close();
      throw e;
    }
  }

  private static NodeAddress bind(Transport transport, Settings settings, String usualHost) {
    String host = settings.find(NetworkSettings.DRIVER_HOST).orElse(usualHost);
    return transport.bind(
        settings.find(NetworkSettings.DRIVER_BIND_ADDRESS).orElse(host),
        host,
        ListenPort.of(settings, NetworkSettings.DRIVER_PORT));
  }

  /// What executors are to be told.
  public NodeAddress address() {
    return address;
  }

  /// What the driver's storage needs to share with executors.
  public Peers peers() {
    return new Peers(
        transport,
        locations.driver(),
        locations,
        BlockReports.NOBODY,
        FetchOptions.of(settings),
        BroadcastOptions.of(settings),
        DepartureOptions.of(settings));
  }

  Transport transport() {
    return transport;
  }

  LinkedExecutors executors() {
    return executors;
  }

  FleetLocations locations() {
    return locations;
  }

  /// Closes all connections. Idempotent.
  @Override
  public void close() {
    transport.close();
  }
}
