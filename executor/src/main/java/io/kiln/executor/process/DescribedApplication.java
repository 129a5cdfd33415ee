package io.kiln.executor.process;

import io.kiln.api.KilnConf;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.classpath.SharedLoader;
import io.kiln.base.settings.ClusterSettings;
import io.kiln.base.settings.DependencySettings;
import io.kiln.base.settings.Settings;
import io.kiln.protocol.ExecutorSetup;
import java.util.Optional;

/// The application that this process works for, as its driver has described it.
///
/// @param loader finds the application's classes: here, and where they are not here at the driver
/// @param ioKey by which what is stored is encrypted; empty for not at all
record DescribedApplication(
    String id,
    Settings settings,
    ExecutorClassLoader loader,
    ApplicationClasses classes,
    Optional<byte[]> ioKey) {

  /// Asks the driver.
  ///
  /// @throws io.kiln.api.KilnException if it doesn't answer
  static DescribedApplication askFor(Driver driver) throws InterruptedException {
    ExecutorSetup description = driver.describeApplication();
    Settings settings = settings(description);
    ExecutorClassLoader loader = loader(description, settings, driver);
    return new DescribedApplication(
        description.applicationId(),
        settings,
        loader,
        ApplicationClasses.of(loader),
        description.ioKey());
  }

  private static Settings settings(ExecutorSetup description) {
    KilnConf conf = new KilnConf(false);
    description.settings().forEach(conf::set);
    return Settings.of(conf);
  }

  private static ExecutorClassLoader loader(
      ExecutorSetup description, Settings settings, Driver driver) {
    ClassLoader engine = DescribedApplication.class.getClassLoader();
    ExecutorClassLoader loader =
        description.ownClassPath()
            ? new ExecutorClassLoader(engine, _ -> false, engine, driver::findClass)
            : besidesEngine(engine, settings, driver);
    ExtraClassPath.of(settings.find(ClusterSettings.CLASS_PATH).orElse("")).forEach(loader::add);
    return loader;
  }

  private static ExecutorClassLoader besidesEngine(
      ClassLoader engine, Settings settings, Driver driver) {
    SharedLoader shared = SharedLoader.ofInstallation(engine);
    boolean ownFirst = settings.get(DependencySettings.EXECUTOR_OWN_FIRST);
    return new ExecutorClassLoader(
        shared, resource -> ownFirst && shared.mayBeReplaced(resource), engine, driver::findClass);
  }
}
