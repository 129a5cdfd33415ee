package probe;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// Ends with exit code 7 as often as its second argument says; its runs are lines of the file that
/// the first one names.
public class Crashing {

  public static void main(String[] arguments) throws Exception {
    Path runs = Path.of(arguments[0]);
    Files.write(runs, List.of("run"), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    if (Files.readAllLines(runs).size() <= Integer.parseInt(arguments[1])) {
      System.exit(7);
    }
    System.out.println("did not crash");
  }
}
