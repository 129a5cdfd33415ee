package io.kiln.cluster.client;

import io.kiln.base.settings.MasterSettings;
import io.kiln.base.settings.Settings;
import io.kiln.cluster.protocol.ApplicationDescription.Share;
import java.time.Duration;

/// How the client of an application behaves.
///
/// @param silence after which a master that says nothing is lost; heartbeats go out four times in
///     that time
/// @param registrationWait how long masters may take to answer, until they are asked again
/// @param registrationTries how often they are asked, at first
/// @param stopWait how long a master may take to acknowledge that the application is over
/// @param stopWaitWithoutMaster how long one may take that has to be found first: who ends without
/// a
///     word has failed, for the next master
public record ClientOptions(
    Duration silence,
    Duration registrationWait,
    int registrationTries,
    Duration stopWait,
    Duration stopWaitWithoutMaster) {
  private static final Duration REGISTRATION_WAIT = Duration.ofSeconds(20);
  private static final int REGISTRATION_TRIES = 3;
  private static final Duration STOP_WAIT = Duration.ofSeconds(2);
  private static final Duration STOP_WAIT_WITHOUT_MASTER = Duration.ofSeconds(5);

  public static ClientOptions of(Settings settings) {
    return new ClientOptions(
        settings.get(MasterSettings.APPLICATION_TIMEOUT),
        REGISTRATION_WAIT,
        REGISTRATION_TRIES,
        STOP_WAIT,
        STOP_WAIT_WITHOUT_MASTER);
  }

  /// How an application with these settings stands to others.
  public static Share shareOf(Settings settings) {
    return new Share(settings.get(MasterSettings.POOL), settings.get(MasterSettings.PRIORITY));
  }

  /// How long it is tried to register the application at first.
  Duration startWait() {
    return registrationWait.multipliedBy(registrationTries);
  }

  Duration heartbeatInterval() {
    return silence.dividedBy(4);
  }
}
