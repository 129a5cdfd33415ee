package io.kiln.driver;

import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.settings.DependencySettings;
import io.kiln.base.settings.Settings;
import io.kiln.driver.status.ApplicationStatus;
import io.kiln.process.ProcessDirectory;
import io.kiln.process.ScratchDirectories;
import java.util.Optional;

/// What an application has in its driver wherever its tasks run.
///
/// @param loader of the application's classes, for its tasks
/// @param files what the application has brought
record ApplicationParts(
    Settings settings,
    TaskClassLoader loader,
    ApplicationClasses classes,
    ApplicationFiles files,
    ApplicationStatus status,
    AccumulatorRegistry accumulators) {

  /// @param scratch where the driver may write
  static ApplicationParts of(Settings settings, ScratchDirectories scratch) {
    TaskClassLoader loader = new TaskClassLoader(TaskClassLoader.ofProgram());
    return new ApplicationParts(
        settings,
        loader,
        ApplicationClasses.of(loader),
        new ApplicationFiles(
            ProcessDirectory.in(scratch.roots().getFirst(), "files"),
            settings.get(DependencySettings.FETCH_TIMEOUT),
            loader),
        new ApplicationStatus(settings),
        new AccumulatorRegistry());
  }

  /// Where this process may write.
  ///
  /// @throws io.kiln.api.KilnException `LOCAL_DIR_UNUSABLE`
  static ScratchDirectories scratch(Settings settings) {
    return ScratchDirectories.find(
        settings, Optional.ofNullable(System.getenv("SPARK_LOCAL_DIRS")));
  }
}
