package io.kiln.bench.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// Measures the transport beside Netty alone, both ends in this process, in turns: `TransportBench
/// [REPETITIONS]`. Each line is `row TAB engine TAB figure TAB check`, the figure in round trips or
/// bytes a second.
public final class TransportBench {
  static final int PAYLOAD_BYTES = 32;

  private static final int DEFAULT_REPETITIONS = 3;
  private static final int WARM_UPS = 2;
  private static final long REPETITION_NANOS = 700_000_000;
  private static final int FILE_BYTES = 128 << 20;

  private TransportBench() {}

  /// Does some of the work.
  private interface Work {
    /// @return how much was done
    long some() throws IOException, InterruptedException;
  }

  public static void main(String[] words) throws Exception {
    int repetitions = words.length == 0 ? DEFAULT_REPETITIONS : Integer.parseInt(words[0]);
    Path file = Files.createTempFile("kiln-transport-bench", ".bytes");
    try {
      fill(file);
      run(file, repetitions);
    } finally {
      Files.delete(file);
    }
  }

  private static void fill(Path file) throws IOException {
    byte[] bytes = new byte[FILE_BYTES];
    new Random(1).nextBytes(bytes);
    Files.write(file, bytes);
  }

  private static void run(Path file, int repetitions) throws Exception {
    for (boolean encrypted : new boolean[] {false, true}) {
      String suffix = encrypted ? "-tls" : "-plain";
      try (Carrier kiln = new KilnCarrier(file, encrypted);
          Carrier netty = new NettyCarrier(file, encrypted)) {
        List<Carrier> carriers = new ArrayList<>(List.of(kiln, netty));
        for (int i = -WARM_UPS; i < repetitions; i++) {
          for (Carrier carrier : carriers) {
            measure("rtt1" + suffix, carrier, i, () -> exchange(carrier, 1, 2_000));
            measure("rtt64" + suffix, carrier, i, () -> exchange(carrier, 64, 20_000));
            measure("stream" + suffix, carrier, i, carrier::stream);
          }
          carriers.add(carriers.removeFirst()); // the other one goes first next time
        }
      }
    }
  }

  private static long exchange(Carrier carrier, int inFlight, int messages)
      throws InterruptedException {
    carrier.exchange(inFlight, messages);
    return messages;
  }

  private static void measure(String row, Carrier carrier, int repetition, Work work)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    long done = 0;
    long nanos;
    do {
      done += work.some();
      nanos = System.nanoTime() - start;
    } while (nanos < REPETITION_NANOS);
    if (repetition >= 0) {
      System.out.println(
          String.format(
              Locale.ROOT, "%s\t%s\t%.0f\tok", row, carrier.engine(), done * 1e9 / nanos));
    }
  }
}
