package io.kiln.driver;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.api.listener.KilnEvent;
import io.kiln.api.listener.KilnListener;
import io.kiln.api.spi.Engine;
import io.kiln.base.settings.ApplicationSettings;
import io.kiln.base.settings.DependencySettings;
import io.kiln.driver.status.ListenerBus;
import java.util.Optional;

/// What is done once an engine stands: what the settings ask for in the user's name.
///
/// @param parts of the engine
record StartUp(EngineParts parts, Engine engine) {

  void run(KilnConf conf) {
    setLogLevel();
    for (String jar : parts.application().settings().get(DependencySettings.JARS)) {
      engine.addJar(jar);
    }
    for (String file : parts.application().settings().get(DependencySettings.FILES)) {
      engine.addFile(file, false);
    }
    for (String archive : parts.application().settings().get(DependencySettings.ARCHIVES)) {
      engine.addArchive(archive);
    }
    for (String className :
        parts.application().settings().get(ApplicationSettings.EXTRA_LISTENERS)) {
      engine.addListener(listener(className, conf));
    }
    ListenerBus listeners = parts.application().status().listeners();
    if (listeners.hasListeners()) {
      listeners.post(
          new KilnEvent.ApplicationStarted(
              parts.applicationId(),
              conf.get(ApplicationSettings.APP_NAME.key(), parts.applicationId()),
              System.currentTimeMillis()));
    }
  }

  // Under spark-submit the property has been obeyed already.
  private void setLogLevel() {
    Optional<String> level = parts.application().settings().find(ApplicationSettings.LOG_LEVEL);
    if (level.isPresent()
        && !level.get().equals(System.getProperty(ApplicationSettings.LOG_LEVEL.key()))) {
      ProcessLog.applySetting(level.get());
    }
  }

  private KilnListener listener(String className, KilnConf conf) {
    try {
      Class<? extends KilnListener> type =
          Class.forName(className, true, parts.application().loader())
              .asSubclass(KilnListener.class);
      try {
        return type.getConstructor(KilnConf.class).newInstance(conf);
      } catch (NoSuchMethodException e) {
        return type.getConstructor().newInstance();
      }
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new KilnException(
          "SETTING_INVALID",
          KilnException.Kind.USER,
          "spark.extraListeners names "
              + className
              + ", which can't be made ("
              + e
              + "); give classes that implement KilnListener, with a public constructor that takes"
              + " a KilnConf or nothing",
          e);
    }
  }
}
