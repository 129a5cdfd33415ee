package io.kiln.submit;

import io.kiln.api.KilnException;
import io.kiln.api.spi.EngineLocator;
import io.kiln.base.classpath.SharedLoader;
import io.kiln.driver.ProgramJobs;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.SubmitSettings.Setting;
import io.kiln.process.VitalThreads;
import io.kiln.submit.logging.LazyLogProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;

/// Runs the program's main method, once, on the calling thread.
final class ProgramRun {

  private static final String EXIT_WITH_MAIN = "spark.submit.callSystemExitOnMainExit";

  private static final Duration A_LONG_TIME = Duration.ofDays(10_000);

  /// May bring a logging of the user's own.
  private static final String EXTRA_CLASS_PATH = "spark.driver.extraClassPath";

  /// Tells the engine that the process is there for this program alone: a fatal error may end it.
  private static final String OWN_PROCESS = "SPARK_SUBMIT";

  /// The exit code where the engine's thread has died, as an executor's.
  private static final int ENGINE_DIED = 50;

  private final Submission submission;

  ProgramRun(Submission submission) {
    this.submission = submission;
  }

  /// @return the exit code: 0 if the program returned and all its jobs ended, else 1
  /// @throws Refusal if there is no main method to run
  int run() {
    for (Map.Entry<String, Setting> setting : submission.settings().all().entrySet()) {
      System.setProperty(setting.getKey(), setting.getValue().value());
    }
    System.setProperty(OWN_PROCESS, "true");
    VitalThreads.ofProgram("the program", ENGINE_DIED);
    if (submission.settings().value(EXTRA_CLASS_PATH, "").isEmpty()) {
      LazyLogProvider.choose();
    }
    ClassLoader engine = ProgramRun.class.getClassLoader();
    SharedLoader shared = SharedLoader.ofInstallation(engine);
    ClassLoader application =
        new ApplicationLoader(submission.classPath(), submission.ownFirst(), shared);
    Thread.currentThread().setContextClassLoader(application);
    EngineLocator.useClassLoader(engine);
    return ProgramUser.isOther(submission)
        ? ProgramUser.run(submission, shared.hadoop(), () -> runMain(engine, application))
        : runMain(engine, application);
  }

  private int runMain(ClassLoader engine, ClassLoader application) {
    Method main = MainMethod.find(submission, submission.isShell() ? engine : application);
    try {
      main.invoke(null, (Object) submission.arguments().toArray(new String[0]));
    } catch (InvocationTargetException e) {
      if (!isInterruptedByTheEnd(e.getCause())) {
        System.err.print(ProgramFailure.text(e.getCause(), main));
        LauncherLink.failed(e.getCause().toString());
      }
      return Refusal.EXIT_CODE;
    } catch (IllegalAccessException e) {
      throw new Refusal("The main method of " + submission.mainClass() + " is out of reach: " + e);
    }
    return submission.isShell() || submission.settings().value(EXIT_WITH_MAIN, "").equals("true")
        ? endNow()
        : awaitTheRest();
  }

  private static int endNow() {
    LeftoverThreads.warn(System.err, EXIT_WITH_MAIN + "=false");
    return ProgramJobs.areRunning() ? failed("a job was still running") : exitCode();
  }

  /// As a JVM does of itself: the program's threads may have work to do.
  private static int awaitTheRest() {
    try {
      while (LeftoverThreads.await(System.err, EXIT_WITH_MAIN + "=true")
          || ProgramJobs.areRunning()) {
        awaitJobs();
      }
    } catch (InterruptedException e) {
      return failed("its main thread was interrupted while it waited for the program's threads");
    }
    return exitCode();
  }

  private static void awaitJobs() throws InterruptedException {
    if (!ProgramJobs.await(LeftoverThreads.SILENCE)) {
      System.err.println(
          "The main method has returned, and the program is waited for since "
              + ProgramJobs.first()
              + " runs (to end with the main method: --conf "
              + EXIT_WITH_MAIN
              + "=true)");
      boolean _ = ProgramJobs.await(A_LONG_TIME);
    }
  }

  private static int exitCode() {
    return ProgramJobs.wereCut() ? failed("its context was closed while a job ran") : 0;
  }

  private static int failed(String reason) {
    LauncherLink.failed(reason);
    return Refusal.EXIT_CODE;
  }

  /// Ctrl-C, say, closes the program's context while it waits for a job: that is no failure.
  private static boolean isInterruptedByTheEnd(Throwable failure) {
    return failure instanceof KilnException ours
        && ours.code().equals("CONTEXT_CLOSED")
        && isEnding();
  }

  /// Whether the JVM is on its way out, which only a refused hook tells.
  private static boolean isEnding() {
    Thread hook = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
