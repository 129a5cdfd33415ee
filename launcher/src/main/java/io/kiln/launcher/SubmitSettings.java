package io.kiln.launcher;

import io.kiln.launcher.SubmitOption.Check;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The settings that a submission gives a program, each with where it comes from.
///
/// From the weakest: the environment, a file of settings, `--conf`, an option of its own.
public final class SubmitSettings {

  /// What keys of Hadoop's own files begin with; a program hands such a key on by `spark.hadoop.`.
  private static final String[] HADOOP_PREFIXES = {
    "fs.", "dfs.", "hadoop.", "mapreduce.", "mapred.", "yarn.", "ipc."
  };

  private static final String MASTER = "spark.master";
  private static final String DEFAULT_MASTER = "local[*]";

  /// @param origin where the value was given, for people to read
  public record Setting(String value, String origin) {}

  private final Map<String, Setting> settings = new TreeMap<>();
  private final List<String> warnings = new ArrayList<>();

  private SubmitSettings() {}

  /// @param confDirectory where `spark-defaults.conf` may be
  /// @param effects what options do, by the master
  /// @throws Refusal if a file that was asked for cannot be read, or a value cannot be right
  public static SubmitSettings resolve(
      CommandLine line,
      Map<String, String> environment,
      Path confDirectory,
      OptionEffects.ByMaster effects) {
    SubmitSettings resolved = new SubmitSettings();
    resolved.takeEnvironment(environment);
    String propertiesFile = line.value(SubmitOption.PROPERTIES_FILE);
    if (propertiesFile == null || line.has(SubmitOption.LOAD_SPARK_DEFAULTS)) {
      Path defaults = confDirectory.resolve(SettingsFile.DEFAULTS);
      if (Files.exists(defaults)) {
        resolved.takeFile(defaults);
      }
    }
    if (propertiesFile != null) {
      resolved.takeFile(Path.of(propertiesFile));
    }
    resolved.takeConfs(line.confs());
    resolved.takeOptions(line, effects);
    resolved.check();
    return resolved;
  }

  private void takeEnvironment(Map<String, String> environment) {
    for (SubmitOption option : SubmitOption.values()) {
      if (!option.environment().isEmpty()) {
        String value = environment.getOrDefault(option.environment(), "");
        if (!value.isEmpty()) {
          settings.put(option.setting(), new Setting(value, option.environment()));
        }
      }
    }
  }

  private void takeFile(Path file) {
    for (Map.Entry<String, String> entry : SettingsFile.read(file).entrySet()) {
      put(entry.getKey(), entry.getValue(), file.toString());
    }
  }

  private void takeConfs(List<CommandLine.Conf> confs) {
    Map<String, String> given = new TreeMap<>();
    for (CommandLine.Conf conf : confs) {
      String earlier = given.put(conf.key(), conf.value());
      if (earlier != null && !earlier.equals(conf.value())) {
        warnings.add("--conf gives " + conf.key() + " more than once: the last one holds");
      }
      put(conf.key(), conf.value(), "--conf");
      warnOfSecret("--conf gives " + conf.key(), conf.key(), conf.value());
    }
  }

  /// Everybody on a host can read the command lines of its processes.
  private void warnOfSecret(String what, String key, String value) {
    if (Secrets.isGivenBy(key, value)) {
      warn(
          what
              + " on the command line, which everybody on this host can read: put it into a file"
              + " that only you can read, and name that by --properties-file");
    }
  }

  /// Says once, before the program runs, what has not the effect that the user may expect.
  public void warn(String warning) {
    if (!warnings.contains(warning)) {
      warnings.add(warning);
    }
  }

  /// The master and the deploy mode say what the others do.
  private void takeOptions(CommandLine line, OptionEffects.ByMaster effects) {
    for (SubmitOption option : List.of(SubmitOption.MASTER, SubmitOption.DEPLOY_MODE)) {
      if (line.has(option)) {
        settings.put(option.setting(), new Setting(line.value(option), option.spelling()));
      }
    }
    settings.putIfAbsent(MASTER, new Setting(DEFAULT_MASTER, "default"));
    OptionEffects here = effects.of(value(MASTER), culprit(MASTER));
    for (SubmitOption option : SubmitOption.values()) {
      if (line.has(option) && !option.setting().isEmpty()) {
        takeOption(option, line.value(option), here);
        warnOfSecret(option.spelling() + " gives a secret", option.setting(), line.value(option));
      }
    }
  }

  private void takeOption(SubmitOption option, String value, OptionEffects here) {
    if (here.effect(option, isClusterMode()) == OptionEffects.Effect.IGNORED) {
      check(option, value, option.spelling());
      warnings.add(here.ignored(option, isClusterMode()));
    } else {
      settings.put(here.setting(option), new Setting(value, option.spelling()));
    }
  }

  /// Whether the driver runs in the cluster.
  public boolean isClusterMode() {
    return "cluster".equals(value("spark.submit.deployMode"));
  }

  private void check() {
    for (SubmitOption option : SubmitOption.values()) {
      String value = option.check() == Check.NONE ? null : value(option.setting());
      if (value != null) {
        check(option, value, culprit(option.setting()));
      }
    }
  }

  private static void check(SubmitOption option, String value, String culprit) {
    if (option.check() == Check.MEMORY) {
      String unused = MemorySize.forJvm(value, culprit);
    } else if (option.check() == Check.COUNT && !isCount(value)) {
      throw new Refusal(culprit + " must be a whole number from 1, but is '" + value + "'");
    }
  }

  private static boolean isCount(String value) {
    boolean positive = false;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < '0' || c > '9') {
        return false;
      }
      positive |= c != '0';
    }
    return positive && value.length() < 10;
  }

  private static boolean isHadoops(String key) {
    for (String prefix : HADOOP_PREFIXES) {
      if (key.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  private void put(String key, String value, String origin) {
    if (!key.startsWith("spark.")) {
      String hint = isHadoops(key) ? "; did you mean spark.hadoop." + key + "?" : "";
      warnings.add("Ignoring " + key + " of " + origin + ": it does not begin with spark." + hint);
      return;
    }
    settings.put(key, new Setting(value, origin));
  }

  /// @return the value, or null where nothing sets the key
  public String value(String key) {
    Setting setting = settings.get(key);
    return setting == null ? null : setting.value();
  }

  /// @return the value, or the default where nothing sets the key
  public String value(String key, String otherwise) {
    Setting setting = settings.get(key);
    return setting == null ? otherwise : setting.value();
  }

  /// Who set the key, or the key itself: what a message names as at fault.
  public String culprit(String key) {
    Setting setting = settings.get(key);
    return setting == null
            || !setting.origin().startsWith("--")
            || setting.origin().equals("--conf")
        ? key
        : setting.origin();
  }

  /// Sets the key if nothing else did.
  public void setDefault(String key, String value) {
    settings.putIfAbsent(key, new Setting(value, "default"));
  }

  /// Replaces a value by a more exact form of it; its origin stays.
  public void refine(String key, String value) {
    settings.computeIfPresent(key, (k, old) -> new Setting(value, old.origin()));
  }

  /// In the order of the keys.
  public Map<String, Setting> all() {
    return new TreeMap<>(settings);
  }

  /// What was ignored, and why.
  public List<String> warnings() {
    return List.copyOf(warnings);
  }
}
