package io.kiln.api.spi;

import io.kiln.api.TaskContext;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.security.auth.Subject;

/// Watches how deep the stack is while nested objects are written or read by code that recurses, so
/// that it never runs out. A stack that runs out while some class is being initialised leaves that
/// class unusable for as long as the JVM lives.
///
/// The stack is looked at once in so many objects as could fill it. What is nested too deeply for
/// the thread is given up, and done once more on a thread with a large stack ([#call]), of which
/// the system commits only what is used. One instance serves one stream, on one thread.
public final class Nesting {
  /// Enough for more than a hundred thousand nested objects.
  public static final long LARGE_STACK_BYTES = 512L << 20;

  /// On any thread; they take less than half of the smallest usual stack.
  private static final int ORDINARY_FRAMES = 1500;

  /// More than a frame takes on average, with those that aren't shown.
  private static final int BYTES_PER_FRAME = 340;

  /// No more are shown between an object and one that it holds, but for the user's own.
  private static final int FRAMES_PER_OBJECT = 12;

  private static final int FIRST_LOOK = 64;

  private final int maxFrames =
      Thread.currentThread() instanceof LargeThread large ? large.maxFrames : ORDINARY_FRAMES;
  private int untilLook = FIRST_LOOK;

  /// What is nested too deeply for this thread's stack. Carries no trace, which would be long.
  public static final class TooDeep extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TooDeep() {
      super("it is nested too deeply", null, false, false);
    }
  }

  /// To be called at each object, before those that it holds.
  ///
  /// @throws TooDeep if the stack has no room for many more
  public void entered() {
    if (--untilLook == 0) {
      look();
    }
  }

  private void look() {
    int frames = StackWalker.getInstance().walk(stack -> (int) stack.limit(maxFrames + 1L).count());
    if (frames > maxFrames) {
      throw new TooDeep();
    }
    untilLook = Math.max(1, (maxFrames - frames) / FRAMES_PER_OBJECT);
  }

  /// How many objects may be nested on this thread, for code that counts them itself.
  public static int objects() {
    return new Nesting().maxFrames / FRAMES_PER_OBJECT;
  }

  /// Has the objects watched that a stream reads. Nothing has been read from it yet.
  public static void watch(ObjectInputStream in) {
    Nesting nesting = new Nesting();
    in.setObjectInputFilter(
        _ -> {
          nesting.entered();
          return ObjectInputFilter.Status.UNDECIDED;
        });
  }

  /// Whether that is what an exception tells, however wrapped.
  public static boolean isTooDeep(Throwable exception) {
    Throwable cause = exception;
    for (int i = 0; cause != null && i < 100; i++) {
      if (cause instanceof TooDeep) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /// Does the work here; if it is too deep for this stack, once more from its beginning on a large
  /// one.
  ///
  /// @throws TooDeep if it is too deep for that too
  public static <T> T call(Callable<T> work) throws Exception {
    try {
      return work.call();
    } catch (Exception e) {
      if (!isTooDeep(e) || Thread.currentThread() instanceof LargeThread) {
        throw e;
      }
    }
    return onLargeStack(work);
  }

  /// Does the work on a large stack at once. This thread waits; an interrupt is passed on.
  ///
  /// @throws TooDeep if it is too deep for that
  public static <T> T onLargeStack(Callable<T> work) throws Exception {
    return onLargeStack(work, LARGE_STACK_BYTES);
  }

  /// Same, on a stack of that size.
  public static <T> T onLargeStack(Callable<T> work, long stackBytes) throws Exception {
    TaskContext runningTask = TaskContext.current().orElse(null);
    boolean readsForAll = CurrentTask.isSuspended();
    Subject user = Subject.current();
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              CurrentTask.set(runningTask, readsForAll);
              return user == null ? work.call() : Subject.callAs(user, work);
            });
    LargeThread thread = new LargeThread(task, stackBytes);
    thread.start();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
          thread.interrupt();
        }
      }
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static Exception rethrown(Throwable cause) {
    if (isTooDeep(cause) || cause instanceof StackOverflowError) {
      return new TooDeep();
    }
    if (cause instanceof CompletionException wrapped && wrapped.getCause() != null) {
      return rethrown(wrapped.getCause()); // by Subject.callAs
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return (Exception) cause;
  }

  private static final class LargeThread extends Thread {
    private final int maxFrames;

    LargeThread(Runnable work, long stackBytes) {
      super(null, work, "kiln-large-stack", stackBytes);
      this.maxFrames = (int) (stackBytes / BYTES_PER_FRAME);
      setDaemon(true);
      setContextClassLoader(Thread.currentThread().getContextClassLoader());
    }
  }
}
