package io.kiln.daemon.recovery;

import io.kiln.api.KilnException;
import io.kiln.base.classpath.InstalledJars;
import io.kiln.base.settings.RecoverySettings;
import io.kiln.base.settings.Setting;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.StandaloneSettings;
import java.io.IOException;
import java.net.URLClassLoader;
import java.util.Optional;

/// Finds the [Recovery] of a mode. Those that need libraries are loaded from `jars/recovery`, which
/// is on no class path, and for as long as the process lives.
public final class RecoveryModes {
  private static final String ZOOKEEPER = "io.kiln.recovery.zookeeper.ZooKeeperRecovery";
  private static final String RAFT = "io.kiln.recovery.raft.RaftRecovery";

  private RecoveryModes() {}

  /// @throws KilnException `SETTING_INVALID`, `RECOVERY_UNUSABLE`
  public static Recovery of(Settings settings) {
    String mode = settings.get(StandaloneSettings.RECOVERY_MODE);
    return switch (mode) {
      case "NONE" -> new NoRecovery();
      case "FILESYSTEM" -> new FileRecovery();
      case "ZOOKEEPER" -> make(ZOOKEEPER, installed());
      case "RAFT" -> make(RAFT, installed());
      case "CUSTOM" ->
          make(required(settings, RecoverySettings.FACTORY), RecoveryModes.class.getClassLoader());
      default -> throw new IllegalArgumentException("no mode: " + mode);
    };
  }

  /// The value of a setting that the mode can't do without.
  ///
  /// @throws KilnException `SETTING_INVALID`
  public static String required(RecoverySetup setup, Setting<String> setting) {
    return required(setup.settings(), setting);
  }

  private static String required(Settings settings, Setting<String> setting) {
    Optional<String> value = settings.find(setting).map(String::strip).filter(v -> !v.isEmpty());
    return value.orElseThrow(
        () ->
            invalid(
                StandaloneSettings.RECOVERY_MODE.key()
                    + " is "
                    + settings.get(StandaloneSettings.RECOVERY_MODE)
                    + ", and "
                    + setting.key()
                    + " is not set; set it",
                null));
  }

  /// Its threads, and those of the libraries, see the libraries by their context loader too.
  private static ClassLoader installed() {
    try {
      ClassLoader loader =
          new URLClassLoader(
              "recovery", InstalledJars.in("recovery"), RecoveryModes.class.getClassLoader());
      Thread.currentThread().setContextClassLoader(loader);
      return loader;
    } catch (IOException e) {
      throw notWhole(e);
    }
  }

  private static Recovery make(String className, ClassLoader loader) {
    boolean own = className.equals(ZOOKEEPER) || className.equals(RAFT);
    try {
      return loader.loadClass(className).asSubclass(Recovery.class).getConstructor().newInstance();
    } catch (ClassNotFoundException | LinkageError e) {
      throw own
          ? notWhole(e)
          : custom(className, "is on no class path; put its jar into SPARK_DAEMON_CLASSPATH", e);
    } catch (ClassCastException e) {
      throw custom(className, "is no " + Recovery.class.getName() + "; name one that is", e);
    } catch (ReflectiveOperationException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw custom(
          className,
          "can't be made by a public constructor without arguments (" + cause + "); see to that",
          e);
    }
  }

  private static KilnException custom(String className, String why, Throwable cause) {
    return invalid(RecoverySettings.FACTORY.key() + "=" + className + " " + why, cause);
  }

  private static KilnException invalid(String line, Throwable cause) {
    return new KilnException("SETTING_INVALID", KilnException.Kind.USER, line, cause);
  }

  private static KilnException notWhole(Throwable cause) {
    return new KilnException(
        "RECOVERY_UNUSABLE",
        KilnException.Kind.USER,
        "this installation is not whole: jars/recovery, which this "
            + StandaloneSettings.RECOVERY_MODE.key()
            + " needs, can't be read ("
            + cause
            + "); install it again",
        cause);
  }
}
