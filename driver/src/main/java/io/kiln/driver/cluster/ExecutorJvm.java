package io.kiln.driver.cluster;

import io.kiln.api.KilnException;
import io.kiln.base.settings.ClusterSettings;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Setting;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.TlsSettings;
import io.kiln.executor.process.ExecutorMain;
import io.kiln.launcher.OptionWords;
import io.kiln.network.security.CertificateLoader;
import io.kiln.process.EngineJvm;
import io.kiln.process.ProcessSecrets;
import io.kiln.process.SharedSecret;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What an application's settings ask for in the processes of its executors, and the command of
/// one.
public final class ExecutorJvm {
  private static final String ENVIRONMENT = "spark.executorEnv.";

  /// What an executor has to know before it can ask its driver.
  private static final List<Setting<?>> NEEDED_AT_START =
      List.of(
          NetworkSettings.AUTHENTICATE,
          NetworkSettings.CRYPTO_ENABLED,
          NetworkSettings.TIMEOUT,
          NetworkSettings.ASK_TIMEOUT,
          NetworkSettings.MESSAGE_MAX_SIZE,
          NetworkSettings.PORT_MAX_RETRIES,
          NetworkSettings.IO_THREADS);

  private ExecutorJvm() {}

  /// What an application asks for: the settings that an executor has to know before it can ask its
  /// driver, and more options.
  ///
  /// @throws io.kiln.launcher.Refusal if the extra options can't be read
  public static List<String> options(Settings settings) {
    List<String> options = new ArrayList<>();
    NEEDED_AT_START.forEach(setting -> addProperty(options, settings, setting));
    if (settings.get(TlsSettings.RPC_ENABLED)) {
      TlsSettings.open().forEach(setting -> addProperty(options, settings, setting));
    }
    settings
        .find(ClusterSettings.JAVA_OPTIONS)
        .ifPresent(
            line -> options.addAll(OptionWords.split(line, ClusterSettings.JAVA_OPTIONS.key())));
    return options;
  }

  private static void addProperty(List<String> options, Settings settings, Setting<?> setting) {
    if (settings.isSet(setting)) {
      options.add("-D" + setting.key() + "=" + settings.texts().get(settings.keyOf(setting)));
    }
  }

  /// The variables that an application asks for in its executors' environment
  /// (`spark.executorEnv.NAME`).
  ///
  /// @throws KilnException `SETTING_INVALID` if there can be no such variable
  public static Map<String, String> environment(Settings settings) {
    Map<String, String> environment = new TreeMap<>();
    settings
        .texts()
        .forEach(
            (key, value) -> {
              if (key.startsWith(ENVIRONMENT)) {
                String name = key.substring(ENVIRONMENT.length());
                requireVariable(key, name, value);
                environment.put(name, value);
              }
            });
    return environment;
  }

  private static void requireVariable(String key, String name, String value) {
    boolean isName = !name.isEmpty() && name.indexOf('=') < 0 && name.indexOf('\0') < 0;
    if (!isName || value.indexOf('\0') >= 0) {
      throw new KilnException(
          "SETTING_INVALID",
          KilnException.Kind.USER,
          key.replace('\0', '?')
              + (isName
                  ? " has a zero character in its value"
                  : " names no variable of an environment: its name is empty, or has '=' or a zero"
                      + " character")
              + "; take it out");
    }
  }

  /// What an executor has to know as well, but nobody else may read: whoever starts it gives it to
  /// it by [ProcessSecrets].
  ///
  /// @param secret of the application
  public static Map<String, String> secrets(Settings settings, Optional<SharedSecret> secret) {
    Map<String, String> secrets = new TreeMap<>();
    secret.ifPresent(known -> secrets.put(ProcessSecrets.OF_APPLICATION, known.text()));
    if (settings.get(TlsSettings.RPC_ENABLED)) {
      CertificateLoader.PASSWORD_NAMES.forEach(
          (setting, name) ->
              settings
                  .find(setting)
                  .or(() -> ProcessSecrets.find(name))
                  .ifPresent(password -> secrets.put(name, password)));
    }
    return secrets;
  }

  /// The command of a process that is to be given its [#secrets] over its standard input.
  ///
  /// @param options of the application
  /// @param arguments of [ExecutorMain]
  public static List<String> command(long heapBytes, List<String> options, List<String> arguments) {
    List<String> all = new ArrayList<>(options);
    all.add(ProcessSecrets.option());
    return EngineJvm.EXECUTOR.command(heapBytes, all, ExecutorMain.class.getName(), arguments);
  }

  /// Changes the environment that the process would inherit.
  ///
  /// @param directory for what the executor writes
  public static void setEnvironment(Map<String, String> environment, Path directory) {
    environment.remove("KILN_LAUNCHER_FD");
    environment.keySet().removeIf(name -> name.startsWith(ProcessSecrets.PREFIX));
    environment.put("SPARK_LOCAL_DIRS", directory.toString());
    environment.put(ExecutorMain.OWN_DIRECTORY_VARIABLE, directory.toString());
  }
}
