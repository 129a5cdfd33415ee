package io.kiln.daemon.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.base.settings.Settings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RollingLogTest {
  private static final int LINES = 30_000;
  private static final long MAX_BYTES = 20_000;

  @TempDir Path directory;

  private static LogRolling bySize(long maxBytes, int retained, boolean compressed) {
    return new LogRolling(new LogRolling.BySize(maxBytes), retained, compressed);
  }

  /// All of a stream, in the order in which it was printed.
  private String all(String name) throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path file : aside(name)) {
      all.append(content(file));
    }
    return all + content(directory.resolve(name));
  }

  /// In the order in which they were put aside.
  private List<Path> aside(String name) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(name + "--"))
          .sorted(Comparator.comparing(RollingLogTest::order))
          .toList();
    }
  }

  /// The number after the time has any number of digits.
  private static String order(Path file) {
    String name = file.getFileName().toString().replace(".gz", "");
    int dot = name.indexOf('.');
    return dot < 0
        ? name + ".000000"
        : name.substring(0, dot)
            + String.format(".%06d", Integer.parseInt(name.substring(dot + 1)));
  }

  private static String content(Path file) throws IOException {
    try (InputStream raw = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String numbers(int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj(i -> i + "\n").collect(Collectors.joining());
  }

  private int run(String script, LogRolling rolling) throws Exception {
    CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    RunningProcess.start(
            new ProcessBuilder("bash", "-c", script),
            directory,
            Duration.ofSeconds(5),
            Optional.of(rolling))
        .watch("test", exitCode::complete);
    return exitCode.get();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingOfARealProcessIsLost(boolean compressed) throws Exception {
    int exitCode =
        run(
            "seq 1 "
                + LINES
                + " & seq "
                + LINES
                + " -1 1 >&2; wait; printf 'no end of line'; exit 3",
            bySize(MAX_BYTES, 0, compressed));

    assertThat(exitCode).isEqualTo(3);
    assertThat(all("stdout")).isEqualTo(numbers(1, LINES) + "no end of line");
    assertThat(all("stderr").lines()).hasSize(LINES).startsWith(LINES + "").endsWith("1");
    assertThat(aside("stdout"))
        .hasSizeGreaterThan(5)
        .allSatisfy(
            file -> {
              assertThat(file.toString().endsWith(".gz")).isEqualTo(compressed);
              assertThat(content(file)).endsWith("\n");
              assertThat((long) content(file).length()).isBetween(MAX_BYTES - 10, MAX_BYTES);
            });
  }

  @Test
  void asManyStayAsMayAndTheNewest() throws Exception {
    run("seq 1 " + LINES, bySize(MAX_BYTES, 2, false));

    assertThat(aside("stdout")).hasSize(2);
    String rest = all("stdout");
    assertThat(numbers(1, LINES)).endsWith(rest);
    assertThat((long) rest.length()).isGreaterThan(2 * (MAX_BYTES - 10));
  }

  @Test
  void aSecondRunGoesOnWithTheFile() throws Exception {
    run("echo first", bySize(MAX_BYTES, 0, false));
    run("echo second", bySize(MAX_BYTES, 0, false));

    assertThat(directory.resolve("stdout")).hasContent("first\nsecond\n");
    assertThat(aside("stdout")).isEmpty();
  }

  @Test
  void aLineLongerThanAFileIsCut() {
    RollingLog log =
        new RollingLog(
            directory.resolve("stdout"),
            bySize(10_000, 0, false),
            () -> Instant.EPOCH,
            ZoneOffset.UTC);
    log.copy(new ByteArrayInputStream(new byte[100_000]));

    assertThat(directory.resolve("stdout--1970-01-01--00-00-00--000")).exists();
    assertThat(directory.resolve("stdout--1970-01-01--00-00-00--000.1")).exists();
  }

  /// Prints a line at each of the times.
  private void print(ZoneId zone, Duration interval, String... times) {
    Instant[] now = {Instant.parse(times[0])};
    RollingLog log =
        new RollingLog(
            directory.resolve("stdout"),
            new LogRolling(new LogRolling.ByTime(interval), 0, false),
            () -> now[0],
            zone);
    InputStream lines = InputStream.nullInputStream();
    for (String time : times) {
      InputStream line =
          new ByteArrayInputStream((time + "\n").getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
              now[0] = Instant.parse(time);
              return super.read(target, offset, length);
            }
          };
      lines = new SequenceInputStream(lines, line);
    }
    log.copy(lines);
  }

  @Test
  void byTimeAFileEndsAtMidnightWhereTheWorkerIs() throws IOException {
    print(
        ZoneOffset.ofHours(2),
        Duration.ofDays(1),
        "2026-11-28T20:00:00Z",
        "2026-11-28T21:59:59Z",
        "2026-11-28T22:00:01Z",
        "2026-11-30T10:00:00Z");

    assertThat(aside("stdout"))
        .extracting(file -> file.getFileName().toString())
        .containsExactly("stdout--2026-11-29--00-00-01--000", "stdout--2026-11-30--12-00-00--000");
    assertThat(content(aside("stdout").getFirst()).lines())
        .containsExactly("2026-11-28T20:00:00Z", "2026-11-28T21:59:59Z");
    assertThat(directory.resolve("stdout")).hasContent("2026-11-30T10:00:00Z\n");
  }

  private static Optional<LogRolling> read(String... settings) {
    KilnConf conf = new KilnConf(false);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set("spark.executor.logs.rolling." + settings[i], settings[i + 1]);
    }
    return LogRolling.of(Settings.of(conf));
  }

  @Test
  void settingsAreRead() {
    assertThat(read()).isEmpty();
    assertThat(read("strategy", "")).isEmpty();
    assertThat(read("strategy", "none", "maxSize", "7")).isEmpty();
    assertThat(read("strategy", "size")).contains(bySize(1 << 20, 0, false));
    assertThat(
            read(
                "strategy",
                "size",
                "maxSize",
                "7k",
                "maxRetainedFiles",
                "3",
                "enableCompression",
                "true"))
        .contains(bySize(7 << 10, 3, true));
    assertThat(read("strategy", "time").map(LogRolling::when))
        .contains(new LogRolling.ByTime(Duration.ofDays(1)));
    assertThat(read("strategy", "time", "time.interval", "90").map(LogRolling::when))
        .contains(new LogRolling.ByTime(Duration.ofSeconds(90)));
    for (String bad : List.of("weekly", "0", "-5", "")) {
      assertThatThrownBy(() -> read("strategy", "time", "time.interval", bad))
          .isInstanceOf(KilnException.class)
          .hasMessageContaining("spark.executor.logs.rolling.time.interval");
    }
  }
}
