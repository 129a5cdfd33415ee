package io.kiln.launcher;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/// A file of settings, such as `conf/spark-defaults.conf`: Java's properties, in UTF-8.
public final class SettingsFile {

  /// The file in the directory of settings that is read where no other is named.
  public static final String DEFAULTS = "spark-defaults.conf";

  private SettingsFile() {}

  /// @return values without spaces around them, by key
  /// @throws Refusal if it cannot be read
  public static Map<String, String> read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (NoSuchFileException e) {
      throw new Refusal("The properties file " + file + " does not exist");
    } catch (IOException | IllegalArgumentException e) {
      throw new Refusal("The properties file " + file + " cannot be read: " + e.getMessage());
    }
    Map<String, String> values = new TreeMap<>();
    for (Map.Entry<Object, Object> entry : properties.entrySet()) {
      values.put((String) entry.getKey(), ((String) entry.getValue()).trim());
    }
    return values;
  }
}
