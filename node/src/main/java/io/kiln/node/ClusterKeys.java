package io.kiln.node;

import io.kiln.base.settings.Settings;
import io.kiln.network.security.Credentials;
import io.kiln.network.security.SharedKey;
import io.kiln.network.security.SigningKey;
import io.kiln.network.security.Verifier;
import io.kiln.process.SharedSecret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/// The keys of a cluster, each of one role, derived from the cluster's secret by HKDF (RFC 5869).
/// Masters have them all; others are given a [RoleKey], from which neither the secret nor another's
/// key follows. Immutable.
///
/// A master shows itself by signatures, which others can believe and can't make; they show
/// themselves to it by keys that they share with masters alone.
public final class ClusterKeys {
  private static final int KEY_BYTES = 32;
  private static final byte[] SALT = "kiln cluster".getBytes(StandardCharsets.US_ASCII);

  private final byte[] secret;
  private final SigningKey master;

  /// @param secret of the cluster
  public ClusterKeys(byte[] secret) {
    this.secret = secret.clone();
    this.master = SigningKey.of(derive("master"));
  }

  /// For a master: makes the secret's file if it isn't there, and writes the keys that others are
  /// to be given.
  ///
  /// @return empty if processes are not to authenticate each other
  /// @throws io.kiln.api.KilnException `SETTING_INVALID`, `SECRET_FILE_UNUSABLE`
  public static Optional<ClusterKeys> ofMaster(Settings settings) {
    Optional<ClusterKeys> keys =
        ClusterSecret.orNew(settings).map(SharedSecret::bytes).map(ClusterKeys::new);
    keys.ifPresent(made -> KeyFiles.write(made, settings));
    return keys;
  }

  private byte[] derive(String purpose) {
    try {
      return KDF.getInstance("HKDF-SHA256")
          .deriveData(
              HKDFParameterSpec.ofExtract()
                  .addIKM(secret)
                  .addSalt(SALT)
                  .thenExpand(purpose.getBytes(StandardCharsets.UTF_8), KEY_BYTES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every JDK since 25 has it
    }
  }

  /// By which a master shows itself, and believes workers, applications and those who submit.
  public Credentials ofMaster() {
    return new Credentials(master, this::verifier);
  }

  private Optional<Verifier> verifier(String name) {
    return RoleName.of(name)
        .filter(role -> role != RoleName.MASTER)
        .map(role -> new SharedKey(key(role, name).key()));
  }

  /// What masters alone know: by which they talk among themselves, and seal what they keep.
  public byte[] ofMasters() {
    return derive("masters");
  }

  /// What a worker is given.
  public RoleKey ofWorkers() {
    return key(RoleName.WORKER, RoleName.WORKER.prefix());
  }

  /// What those are given who submit, and applications whose drivers don't run in the cluster.
  public RoleKey ofSubmitters() {
    return key(RoleName.CLIENT, RoleName.CLIENT.prefix());
  }

  /// What one driver is given that the cluster runs.
  public RoleKey ofDriver(String driverId) {
    String name = RoleName.DRIVER.prefix() + driverId;
    return key(RoleName.DRIVER, name);
  }

  private RoleKey key(RoleName role, String name) {
    String purpose =
        switch (role) {
          case WORKER -> "worker";
          case CLIENT, APPLICATION -> "submit";
          case DRIVER -> name;
          case MASTER -> throw new IllegalArgumentException("a master's key is its own");
        };
    return new RoleKey(derive(purpose), master.publicKey());
  }

  @Override
  public String toString() {
    return "ClusterKeys[...]";
  }
}
