package io.kiln.cluster.master;

import io.kiln.api.KilnException;
import io.kiln.base.settings.MasterSettings;
import io.kiln.base.settings.Setting;
import io.kiln.base.settings.Settings;
import java.time.Duration;
import java.time.ZoneId;
import java.util.IllegalFormatException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// How a master behaves.
public record MasterOptions(
    Waits waits, Scheduling scheduling, Retention retention, Naming naming) {
  private static final Duration FIRST_REPORT = Duration.ofSeconds(10);
  private static final Duration NEXT_REPORT = Duration.ofSeconds(60);

  /// @param silence after which a worker that says nothing is lost
  /// @param applicationSilence after which an application that says nothing is over
  /// @param linkGrace how long a closed link may take to come back
  /// @param recovery how long a master that takes over waits for workers and applications
  /// @param firstReport when an application without executors hears why
  /// @param nextReport when it hears it again
  public record Waits(
      Duration silence,
      Duration applicationSilence,
      Duration linkGrace,
      Duration recovery,
      Duration firstReport,
      Duration nextReport) {}

  /// @param spreadOutApplications whether executors of one application go to as many workers as can
  ///     be, rather than to as few
  /// @param spreadOutDrivers likewise
  /// @param workerOrder which worker is looked at first
  /// @param defaultCores of an application that doesn't say how many it may have
  /// @param maxExecutorRetries how many executors of an application may fail in a row; negative:
  ///     any number
  /// @param maxDrivers that run at once
  /// @param shares of pools, and of drivers
  public record Scheduling(
      boolean spreadOutApplications,
      boolean spreadOutDrivers,
      WorkerOrder workerOrder,
      int defaultCores,
      int maxExecutorRetries,
      int maxDrivers,
      Shares shares) {}

  /// @param weights of pools; one that is not among them has weight 1
  /// @param keptFromDrivers the part of all cores and of all memory that drivers may not take, 0 to
  ///     1
  public record Shares(Map<String, Integer> weights, double keptFromDrivers) {
    public static final Shares EQUAL = new Shares(Map.of(), 0);

    int weight(String pool) {
      return weights.getOrDefault(pool, 1);
    }
  }

  /// @param applications, drivers how many that are over are remembered
  /// @param waitingDrivers how many may wait for a worker
  /// @param deadWorkers for how long those are shown
  public record Retention(
      int applications, int drivers, int waitingDrivers, Duration deadWorkers) {}

  /// Patterns of [String#format], for the time as text and a number.
  ///
  /// @param applicationNumbers how many different numbers applications get
  /// @param zone of the times in ids
  public record Naming(String application, String driver, int applicationNumbers, ZoneId zone) {}

  /// Which of two workers is filled first; of equals, the one that registered first.
  public enum WorkerOrder {
    CORES_FREE_DESC,
    CORES_FREE_ASC,
    MEMORY_FREE_DESC,
    MEMORY_FREE_ASC,
    WORKER_ID
  }

  /// As settings say.
  ///
  /// @param zone of the times in ids
  /// @throws KilnException `SETTING_INVALID` if a value can't be used
  public static MasterOptions of(Settings settings, ZoneId zone) {
    Duration silence = settings.get(MasterSettings.WORKER_TIMEOUT);
    return new MasterOptions(
        new Waits(
            silence,
            settings.get(MasterSettings.APPLICATION_TIMEOUT),
            settings.get(MasterSettings.LINK_GRACE),
            settings.find(MasterSettings.RECOVERY_TIMEOUT).orElse(silence),
            FIRST_REPORT,
            NEXT_REPORT),
        new Scheduling(
            settings.get(MasterSettings.SPREAD_OUT_APPLICATIONS),
            settings.get(MasterSettings.SPREAD_OUT_DRIVERS),
            WorkerOrder.valueOf(settings.get(MasterSettings.WORKER_SELECTION)),
            settings.get(MasterSettings.DEFAULT_CORES),
            settings.get(MasterSettings.MAX_EXECUTOR_RETRIES),
            settings.get(MasterSettings.MAX_DRIVERS),
            new Shares(
                weights(settings.get(MasterSettings.POOLS)),
                settings.get(MasterSettings.KEPT_FROM_DRIVERS))),
        new Retention(
            settings.get(MasterSettings.RETAINED_APPLICATIONS),
            settings.get(MasterSettings.RETAINED_DRIVERS),
            settings.get(MasterSettings.MAX_WAITING_DRIVERS),
            silence.multipliedBy(settings.get(MasterSettings.DEAD_WORKER_PERSISTENCE))),
        new Naming(
            pattern(settings, MasterSettings.APPLICATION_ID_PATTERN),
            pattern(settings, MasterSettings.DRIVER_ID_PATTERN),
            settings.find(MasterSettings.APPLICATION_NUMBER_MODULO).orElse(Integer.MAX_VALUE),
            zone));
  }

  private static Map<String, Integer> weights(List<String> pools) {
    Map<String, Integer> weights = new LinkedHashMap<>();
    for (String pool : pools) {
      int colon = pool.lastIndexOf(':');
      String name = colon < 0 ? "" : pool.substring(0, colon).trim();
      int weight = name.isEmpty() ? 0 : weight(pool.substring(colon + 1).trim());
      if (weight < 1 || weights.put(name, weight) != null) {
        throw invalid(
            MasterSettings.POOLS,
            pool,
            "expected each pool once, with a weight of 1 to 1000000; for example"
                + " batch:1,interactive:3");
      }
    }
    return weights;
  }

  /// @return 0 if it is none
  private static int weight(String text) {
    boolean isNumber =
        !text.isEmpty() && text.length() <= 7 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    int weight = isNumber ? Integer.parseInt(text) : 0;
    return weight <= 1_000_000 ? weight : 0;
  }

  private static String pattern(Settings settings, Setting<String> setting) {
    String pattern = settings.get(setting);
    try {
      String first = String.format(Locale.ROOT, pattern, "20260101000000", 1L);
      String second = String.format(Locale.ROOT, pattern, "20260101000000", 2L);
      if (!first.equals(second)) {
        return pattern;
      }
    } catch (IllegalFormatException e) {
      throw invalid(setting, pattern, e.getMessage());
    }
    throw invalid(setting, pattern, "ids of the same second would be the same; use %s and %d");
  }

  private static KilnException invalid(Setting<?> setting, String value, String why) {
    return new KilnException(
        Setting.SETTING_INVALID,
        KilnException.Kind.USER,
        setting.key() + "=" + value + " can't be used: " + why);
  }
}
