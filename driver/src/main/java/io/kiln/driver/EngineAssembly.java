package io.kiln.driver;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.base.settings.ApplicationSettings;
import io.kiln.base.settings.Master;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.SettingsCheck;
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
    Master master = master(settings);
    return master instanceof Master.Local local
        ? LocalAssembly.assemble(settings, local)
        : ClusterAssembly.assemble(settings, master);
  }

  private static Settings checked(KilnConf conf) {
    Settings settings = Settings.of(conf);
    List<String> warnings = SettingsCheck.warnings(settings);
    if (!warnings.isEmpty()) {
      warnings.forEach(LoggerFactory.getLogger(DriverEngine.class)::warn);
    }
    return settings;
  }

  private static Master master(Settings settings) {
    String text = settings.find(ApplicationSettings.MASTER).orElse("");
    return Master.parse(text)
        .orElseThrow(
            () ->
                new KilnException(
                    "MASTER_INVALID",
                    KilnException.Kind.USER,
                    (text.isEmpty()
                            ? "no master is set; set spark.master (or setMaster, or --master) to "
                            : "can't use the master '" + text + "'; give ")
                        + Master.FORMS
                        + " (N tasks at once, F failures of a task allowed; W workers of C cores"
                        + " and M MiB)"));
  }
}
