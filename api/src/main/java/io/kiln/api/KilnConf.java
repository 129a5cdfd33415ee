package io.kiln.api;

import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/// The settings of an application: keys that begin with `spark.`, values as text.
///
/// A value is parsed when the part that uses it starts. Not thread-safe; a context takes a copy.
public final class KilnConf implements Serializable {
  private static final String PREFIX = "spark.";

  private final TreeMap<String, String> settings = new TreeMap<>();

  /// Starts with the JVM's system properties that begin with `spark.`. That is where `spark-submit`
  /// puts its settings.
  public KilnConf() {
    this(true);
  }

  /// @param loadDefaults whether the settings start with the JVM's `spark.` system properties, or
  ///     with nothing
  public KilnConf(boolean loadDefaults) {
    if (loadDefaults) {
      for (String key : System.getProperties().stringPropertyNames()) {
        if (key.startsWith(PREFIX)) {
          settings.put(key, System.getProperty(key));
        }
      }
    }
  }

  /// @throws NullPointerException if either is null
  public KilnConf set(String key, String value) {
    settings.put(
        Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value of " + key));
    return this;
  }

  public KilnConf setIfMissing(String key, String value) {
    return settings.containsKey(key) ? this : set(key, value);
  }

  public KilnConf remove(String key) {
    settings.remove(key);
    return this;
  }

  /// Same as `set("spark.master", master)`.
  public KilnConf setMaster(String master) {
    return set("spark.master", master);
  }

  /// Same as `set("spark.app.name", name)`.
  public KilnConf setAppName(String name) {
    return set("spark.app.name", name);
  }

  public Optional<String> get(String key) {
    return Optional.ofNullable(settings.get(key));
  }

  public String get(String key, String defaultValue) {
    return settings.getOrDefault(key, defaultValue);
  }

  public boolean contains(String key) {
    return settings.containsKey(key);
  }

  /// Returns a copy of the settings, sorted by key.
  public Map<String, String> toMap() {
    return new TreeMap<>(settings);
  }

  public KilnConf copy() {
    KilnConf copy = new KilnConf(false);
    copy.settings.putAll(settings);
    return copy;
  }
}
