package io.kiln.process;

import io.kiln.api.KilnException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The secrets and passwords that this process was given by whoever started it, by their names.
///
/// Whoever starts a process hands them over its standard input, where it starts it with
/// [#option]. No other process can read them there, and the processes that this one starts don't
/// inherit them. A cluster manager that can't do so gives them as variables of the environment,
/// which this process's own children inherit.
///
/// They are read once, by the first who asks. Thread-safe.
public final class ProcessSecrets {
  /// The name of the secret that an application's processes share.
  public static final String OF_APPLICATION = "_SPARK_AUTH_SECRET";

  /// What the names of all secrets begin with.
  public static final String PREFIX = "_SPARK_";

  private static final String PROPERTY = "kiln.secrets";
  private static final String FROM_STANDARD_INPUT = "stdin";

  private static Map<String, String> values; // guarded by the class

  private ProcessSecrets() {}

  /// The option of a JVM that is to read its secrets from its standard input.
  public static String option() {
    return "-D" + PROPERTY + "=" + FROM_STANDARD_INPUT;
  }

  /// @throws KilnException `SECRET_MISSING` if nobody has handed them over as was announced
  public static synchronized Optional<String> find(String name) {
    if (values == null) {
      values =
          FROM_STANDARD_INPUT.equals(System.getProperty(PROPERTY))
              ? read(System.in)
              : System.getenv();
    }
    return Optional.ofNullable(values.get(name));
  }

  /// Hands secrets to a process that was started with [#option], and closes its standard input.
  /// Blocks while the process reads nothing and there are more than a pipe holds.
  ///
  /// @throws IOException if the process has ended before it had read them
  public static void give(Map<String, String> secrets, Process process) throws IOException {
    try (OutputStream input = process.getOutputStream()) {
      write(secrets, input);
    }
  }

  static void write(Map<String, String> secrets, OutputStream output) throws IOException {
    DataOutputStream data = new DataOutputStream(output);
    data.writeInt(secrets.size());
    for (Map.Entry<String, String> secret : secrets.entrySet()) {
      writeText(data, secret.getKey());
      writeText(data, secret.getValue());
    }
    data.flush();
  }

  private static void writeText(DataOutputStream data, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    data.writeInt(bytes.length);
    data.write(bytes);
  }

  /// @throws KilnException `SECRET_MISSING` if they are not there, or not whole
  static Map<String, String> read(InputStream input) {
    try {
      DataInputStream data = new DataInputStream(input);
      Map<String, String> secrets = new TreeMap<>();
      int count = data.readInt();
      for (int i = 0; i < count; i++) {
        String name = readText(data);
        secrets.put(name, readText(data));
      }
      return secrets;
    } catch (IOException e) {
      throw new KilnException(
          "SECRET_MISSING",
          KilnException.Kind.USER,
          "this process does not get to know its secrets: its standard input ends before them; let"
              + " whoever starts it with "
              + option()
              + " write them there, or give them as variables of its environment without that"
              + " option",
          e);
    }
  }

  private static String readText(DataInputStream data) throws IOException {
    int length = Math.max(0, data.readInt());
    byte[] bytes = data.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
