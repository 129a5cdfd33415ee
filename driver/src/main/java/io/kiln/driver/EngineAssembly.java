package io.kiln.driver;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.base.settings.ApplicationSettings;
import io.kiln.base.settings.LocalMaster;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.SettingsCheck;
import io.kiln.driver.cluster.ExecutorSourceProvider;
import java.util.List;
import org.slf4j.LoggerFactory;

/// Puts an engine together. Each kind of backend has an assembly of its own: [LocalAssembly] and
/// [ClusterAssembly].
final class EngineAssembly {
  private EngineAssembly() {}

  /// @return started
  /// @throws KilnException if a setting doesn't parse or a resource can't be had
  static EngineParts assemble(KilnConf conf) {
    Settings settings = checked(conf);
    String master = settings.find(ApplicationSettings.MASTER).orElse("");
    if (LocalMaster.parse(master).orElse(null) instanceof LocalMaster.Local local) {
      return LocalAssembly.assemble(settings, local);
    }
    ExecutorSourceProvider provider =
        ExecutorSourceProvider.of(master).orElseThrow(() -> invalid(master));
    return ClusterAssembly.assemble(settings, master, provider);
  }

  private static Settings checked(KilnConf conf) {
    Settings settings = Settings.of(conf);
    List<String> warnings = SettingsCheck.warnings(settings);
    if (!warnings.isEmpty()) {
      warnings.forEach(LoggerFactory.getLogger(DriverEngine.class)::warn);
    }
    return settings;
  }

  private static KilnException invalid(String master) {
    StringBuilder forms = new StringBuilder(LocalMaster.FORMS);
    for (ExecutorSourceProvider other : ExecutorSourceProvider.others()) {
      forms.append(", ").append(other.masterForm());
    }
    return new KilnException(
        "MASTER_INVALID",
        KilnException.Kind.USER,
        (master.isEmpty()
                ? "no master is set; set spark.master (or setMaster, or --master) to one of: "
                : "can't use the master '" + master + "'; give one of: ")
            + forms
            + " (N tasks at once, F failures of a task allowed; W workers of C cores and M MiB)");
  }
}
