package io.kiln.hadoop;

import io.kiln.api.KilnException;
import io.kiln.base.filesystem.FileSystem;
import io.kiln.base.filesystem.FileSystemProvider;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.util.VersionInfo;

/// Each file system that Hadoop's client knows, or that a jar of the application's teaches it.
/// Thread-safe; keeps what it made of the settings that were asked for last, since to read Hadoop's
/// own takes tens of milliseconds and every task asks.
public final class HadoopFileSystems implements FileSystemProvider {
  private volatile Made last;

  private record Made(Map<String, String> settings, HadoopAccess access) {}

  @Override
  public Optional<FileSystem> find(String scheme, Map<String, String> settings) {
    HadoopAccess access = access(settings);
    if (!scheme.isEmpty() && !isKnown(scheme, access)) {
      return Optional.empty();
    }
    return Optional.of(new HadoopFileSystem(access));
  }

  @Override
  public Map<String, String> complete(Map<String, String> settings) {
    Map<String, String> complete = new TreeMap<>(access(settings).ownSettings());
    complete.putAll(settings);
    return complete;
  }

  private HadoopAccess access(Map<String, String> settings) {
    Made made = last;
    if (made == null || !made.settings().equals(settings)) {
      made = new Made(settings, HadoopAccess.of(settings));
      last = made;
    }
    return made.access();
  }

  private static boolean isKnown(String scheme, HadoopAccess access) {
    try {
      org.apache.hadoop.fs.FileSystem.getFileSystemClass(scheme, access.configuration());
      return true;
    } catch (IOException e) {
      return false;
    } catch (RuntimeException e) {
      if (!(rootOf(e) instanceof ClassNotFoundException missing)) {
        throw e;
      }
      throw new KilnException(
          "FILE_SYSTEM_MISSING",
          KilnException.Kind.USER,
          String.format(
              Locale.ROOT,
              "can't use the scheme '%s': its class %s is not there; add the jar that has it, with"
                  + " --jars or --packages%s",
              scheme,
              missing.getMessage().replaceAll("^Class (\\S+) not found$", "$1"),
              scheme.equals("s3a")
                  ? " org.apache.hadoop:hadoop-aws:" + VersionInfo.getVersion()
                  : ""));
    }
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
