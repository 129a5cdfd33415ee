package io.kiln.standalone.client;

import io.kiln.api.KilnException;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.StandaloneSettings;
import io.kiln.node.KeyFiles;
import io.kiln.node.RoleKey;
import io.kiln.node.RoleName;
import java.util.Optional;

/// As whom an application comes to masters: as the driver that its worker was told to start, or as
/// any that may submit.
///
/// @param driverId of the driver, if the cluster runs it
/// @param key empty if processes don't authenticate each other
record ApplicationIdentity(Optional<String> driverId, Optional<RoleKey> key) {

  /// @throws KilnException `SETTING_INVALID`, `SECRET_FILE_UNUSABLE`
  static ApplicationIdentity of(Settings settings) {
    Optional<String> driverId = settings.find(StandaloneSettings.DRIVER_ID);
    Optional<String> given = settings.find(StandaloneSettings.DRIVER_SECRET);
    if (given.isEmpty() || !settings.get(NetworkSettings.AUTHENTICATE)) {
      return new ApplicationIdentity(driverId, KeyFiles.ofSubmitter(settings));
    }
    RoleKey key =
        RoleKey.parse(given.get())
            .orElseThrow(
                () ->
                    new KilnException(
                        "SETTING_INVALID",
                        KilnException.Kind.USER,
                        StandaloneSettings.DRIVER_SECRET.key()
                            + " holds no key of a driver: workers set it, and nobody else"));
    return new ApplicationIdentity(driverId, Optional.of(key));
  }

  /// By which it introduces itself.
  String name() {
    return driverId
        .map(id -> RoleName.DRIVER.prefix() + id)
        .orElseGet(RoleName.APPLICATION::prefix);
  }
}
