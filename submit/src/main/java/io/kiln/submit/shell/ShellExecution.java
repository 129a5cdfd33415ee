package io.kiln.submit.shell;

import io.kiln.api.KilnContext;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import jdk.jshell.execution.DirectExecutionControl;
import jdk.jshell.execution.LoaderDelegate;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;

/// Runs what JShell has compiled: in this JVM, on the thread that evaluates it, so that the context
/// and the loaders are those of any other program.
///
/// One snippet at a time; [#stop] may be called by any thread.
final class ShellExecution extends DirectExecutionControl {

  /// Hands JShell the one execution there is.
  record Provider(ShellExecution execution) implements ExecutionControlProvider {
    @Override
    public String name() {
      return "kiln";
    }

    @Override
    public ExecutionControl generate(ExecutionEnv environment, Map<String, String> parameters) {
      return execution;
    }
  }

  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Object lock = new Object();
  private Thread running;
  private int stopRequests;
  private Throwable failure;

  ShellExecution(ShellClasses classes, ClassLoader loader) {
    super(new Loading(classes, loader));
  }

  /// Asks the running snippet to end: its jobs are cancelled and, if it goes on, its thread is
  /// interrupted. Who waits for a job hears of its end after the progress bar does, but of an
  /// interrupt at once.
  @Override
  public void stop() {
    synchronized (lock) {
      Thread asked = running;
      if (asked == null) {
        return;
      }
      stopRequests++;
      if (cancelJobs()) {
        awaitEnd(asked);
      }
      if (running == asked) {
        asked.interrupt();
      }
    }
  }

  /// @return whether there were any
  private static boolean cancelJobs() {
    KilnContext context = KilnContext.active().orElse(null);
    if (context == null) {
      return false;
    }
    boolean any = !context.statusTracker().activeJobIds().isEmpty();
    context.cancelAllJobs();
    return any;
  }

  /// With the lock, which is let go meanwhile.
  private void awaitEnd(Thread asked) {
    long deadline = System.nanoTime() + GRACE_NANOS;
    try {
      for (long left = GRACE_NANOS;
          running == asked && left > 0;
          left = deadline - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(lock, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// How often the snippet that runs, or else the last one, was asked to end.
  int stopRequests() {
    synchronized (lock) {
      return stopRequests;
    }
  }

  @Override
  protected void clientCodeEnter() {
    synchronized (lock) {
      running = Thread.currentThread();
      stopRequests = 0;
    }
  }

  @Override
  protected void clientCodeLeave() {
    synchronized (lock) {
      running = null;
      lock.notifyAll();
      boolean _ = Thread.interrupted(); // meant for what has ended
    }
  }

  @Override
  public String invoke(String className, String methodName)
      throws RunException, InternalException, EngineTerminationException {
    return SnippetPlaces.protect(super.invoke(className, methodName));
  }

  @Override
  public String varValue(String className, String variable)
      throws RunException, InternalException, EngineTerminationException {
    return SnippetPlaces.protect(super.varValue(className, variable));
  }

  /// What the last snippet threw, as it was thrown: JShell passes on a description only.
  Optional<Throwable> takeFailure() {
    Throwable taken = failure;
    failure = null;
    return Optional.ofNullable(taken);
  }

  @Override
  protected String throwConvertedInvocationException(Throwable cause)
      throws RunException, InternalException {
    failure = cause;
    return super.throwConvertedInvocationException(cause);
  }

  private record Loading(ShellClasses classes, ClassLoader loader) implements LoaderDelegate {

    @Override
    public void load(ClassBytecodes[] compiled) throws ClassInstallException {
      for (ClassBytecodes one : compiled) {
        classes.add(one.name(), one.bytecodes());
      }
      boolean[] loaded = new boolean[compiled.length];
      for (int i = 0; i < compiled.length; i++) {
        try {
          loaded[i] = Class.forName(compiled[i].name(), false, loader) != null;
        } catch (ClassNotFoundException | LinkageError e) {
          throw new ClassInstallException(e.toString(), loaded);
        }
      }
    }

    /// JShell makes classes of other names instead.
    @Override
    public void classesRedefined(ClassBytecodes[] compiled) {
      throw new UnsupportedOperationException("a loaded class stays as it is");
    }

    /// The loader has been given all there is.
    @Override
    public void addToClasspath(String path) {
      throw new UnsupportedOperationException("the class path is fixed when the shell starts");
    }

    @Override
    public Class<?> findClass(String name) throws ClassNotFoundException {
      return loader.loadClass(name);
    }
  }
}
