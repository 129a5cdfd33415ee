package acceptance;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import java.nio.file.Files;
import java.nio.file.Path;

/// Uses every public operation of the API, compares each result with what plain Java gives, and
/// reports. Ends with 1 if one check failed.
///
/// Arguments: a directory that driver and executors share, and a jar with `late.Greeting`.
public final class Acceptance {
  private Acceptance() {}

  public static void main(String[] arguments) throws Exception {
    Checks checks = new Checks();
    Making.checkConf(checks);
    KilnContext created = KilnContext.create(new KilnConf().setAppName("acceptance"));
    try (created) {
      run(created, checks, Path.of(arguments[0]), arguments[1]);
    }
    checks.group("context");
    checks.holds("isClosed once closed", created::isClosed);
    checks.holds("no active one", () -> KilnContext.active().isEmpty());
    if (!checks.report(System.out)) {
      System.exit(1);
    }
  }

  /// The same with a context that is there, as in the shell.
  ///
  /// @return whether all checks passed
  public static boolean run(KilnContext sc, String directory, String jar) throws Exception {
    Checks checks = new Checks();
    run(sc, checks, Path.of(directory), jar);
    return checks.report(System.out);
  }

  private static void run(KilnContext sc, Checks c, Path directory, String jar) throws Exception {
    Files.createDirectories(directory);
    c.all(() -> Making.check(sc, c));
    c.all(() -> Changing.check(sc, c));
    c.all(() -> Keyed.check(sc, c));
    c.all(() -> Joining.check(sc, c, directory));
    c.all(() -> Numbers.check(sc, c));
    c.all(() -> Asking.check(sc, c));
    c.all(() -> Storing.check(sc, c));
    c.all(() -> Sharing.check(sc, c, directory, jar));
    c.all(() -> Filing.check(sc, c, directory));
    c.all(() -> Running.check(sc, c, directory));
    c.all(() -> Watching.check(sc, c));
    c.all(() -> Extending.check(sc, c));
    c.all(() -> Scaling.check(sc, c));
  }
}
