package io.kiln.network.fuzz;

import com.sun.management.ThreadMXBean;
import io.kiln.network.codec.WireFormatException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// Runs one reader of bytes from elsewhere on many inputs for some time, and says with which seed
/// and on which input it did what it must not do: throw anything but [WireFormatException],
/// allocate much for few bytes, or not come to an end.
///
/// `-Dkiln.fuzz.seed` makes the same inputs again, `-Dkiln.fuzz.seconds` goes on for longer.
public final class Fuzzing {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long ALLOCATED_AT_ALL = 64 << 10; // with the refusal and its trace
  private static final long ALLOCATED_PER_BYTE = 256;
  private static final int TRIES = 3;
  private static final Duration STUCK_AFTER = Duration.ofSeconds(20);

  /// What is fuzzed.
  @FunctionalInterface
  public interface Reader {
    /// @throws WireFormatException to refuse the input
    Object read(byte[] input);
  }

  /// What to do with a value that was read.
  @FunctionalInterface
  public interface Check {
    void accept(Object value);
  }

  /// Makes the next input.
  @FunctionalInterface
  public interface Inputs {
    byte[] next();
  }

  private final long seed = Long.getLong("kiln.fuzz.seed", System.nanoTime());
  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  private final AtomicReference<byte[]> current = new AtomicReference<>(new byte[0]);
  private final long deadline;
  private long inputs;
  private long accepted;

  /// @param usually for how long
  public Fuzzing(Duration usually) {
    long seconds = Long.getLong("kiln.fuzz.seconds", usually.toSeconds());
    deadline = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
  }

  /// The source of all choices.
  public RandomGenerator random() {
    return random;
  }

  /// @return how many of the inputs were accepted
  public long run(Inputs source, Reader reader, Check check) {
    Thread watched = Thread.ofPlatform().name("fuzz").unstarted(() -> loop(source, reader, check));
    AtomicReference<Throwable> failure = new AtomicReference<>();
    watched.setUncaughtExceptionHandler((_, e) -> failure.set(e));
    watched.setDaemon(true);
    watched.start();
    try {
      Duration patience = Duration.ofNanos(deadline - System.nanoTime()).plus(STUCK_AFTER);
      if (!watched.join(patience)) {
        throw new AssertionError(described("does not come to an end"));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (failure.get() != null) {
      throw failed(failure.get());
    }
    System.out.println("fuzzed " + inputs + " inputs, accepted " + accepted + ", seed " + seed);
    return accepted;
  }

  private void loop(Inputs source, Reader reader, Check check) {
    while (System.nanoTime() < deadline) {
      byte[] input = source.next();
      current.set(input);
      inputs++;
      Optional<Object> value = read(reader, input);
      if (value.isPresent()) {
        accepted++;
        check.accept(value.get());
      }
    }
  }

  private static Optional<Object> read(Reader reader, byte[] input) {
    long limit = ALLOCATED_AT_ALL + ALLOCATED_PER_BYTE * input.length;
    long allocated = Long.MAX_VALUE;
    for (int i = 0; i < TRIES; i++) { // what is used for the first time is made ready
      long before = THREADS.getCurrentThreadAllocatedBytes();
      Optional<Object> value;
      try {
        value = Optional.of(reader.read(input));
      } catch (WireFormatException e) {
        value = Optional.empty();
      }
      allocated = Math.min(allocated, THREADS.getCurrentThreadAllocatedBytes() - before);
      if (allocated <= limit) {
        return value;
      }
    }
    throw new AssertionError("it allocates " + allocated + " bytes for " + input.length);
  }

  /// The error with what replays it.
  AssertionError failed(Throwable why) {
    return new AssertionError(described("failed: " + why), why);
  }

  private String described(String what) {
    byte[] input = current.get();
    return "the input "
        + HexFormat.of().formatHex(input)
        + " "
        + what
        + "; replay with -Dkiln.fuzz.seed="
        + seed;
  }
}
