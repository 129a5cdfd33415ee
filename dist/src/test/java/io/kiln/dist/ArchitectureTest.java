package io.kiln.dist;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.kiln.api.spi.EngineClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Holds the code to the table of rooms in `ARCHITECTURE.md`.
class ArchitectureTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern ROW =
      Pattern.compile("^\\| `([a-z]+)` \\|[^|]*\\|([^|]*)\\|([^|]*)\\|$");
  private static final Pattern ROOM = Pattern.compile("`([a-z]+)`");

  private record Room(String name, Set<String> mayUse, Optional<List<String>> libraries) {}

  private static JavaClasses classes;
  private static Map<String, Room> rooms;

  @BeforeAll
  static void read() throws IOException {
    classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.kiln");
    rooms = table();
  }

  @Test
  void everyClassLivesInARoomOfTheTable() {
    Set<String> seen = new TreeSet<>();
    classes.forEach(c -> seen.add(room(c)));

    assertThat(rooms.keySet()).containsAll(seen);
  }

  /// So that no code has a list of them: see [EngineClasses].
  @Test
  void everyRoomOfTheEngineDeclaresItself() throws IOException {
    Set<String> programs = Set.of("bench", "dist", "examples", "programs", "simulation");
    for (String room : rooms.keySet()) {
      Path declaration = ROOT.resolve(room + "/src/main/resources/META-INF/kiln/rooms/" + room);
      assertThat(Files.exists(declaration))
          .as(declaration.toString())
          .isEqualTo(!programs.contains(room));
    }
  }

  @TestFactory
  List<DynamicTest> aRoomUsesOnlyWhatTheTableAllows() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Room room : rooms.values()) {
      tests.add(DynamicTest.dynamicTest(room.name(), () -> check(room)));
    }
    return tests;
  }

  private static void check(Room room) {
    noClasses()
        .that()
        .resideInAPackage("io.kiln." + room.name() + "..")
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are outside what the table allows to " + room.name(),
                target -> !isAllowed(room, target)))
        .allowEmptyShould(true)
        .check(classes);
  }

  private static boolean isAllowed(Room room, JavaClass target) {
    String name = target.getBaseComponentType().getFullName();
    if (name.startsWith("io.kiln.")) {
      String other = room(target.getBaseComponentType());
      return other.equals(room.name()) || room.mayUse().contains(other);
    }
    return target.getBaseComponentType().isPrimitive()
        || name.startsWith("java.")
        || name.startsWith("javax.")
        || name.startsWith("jdk.net.")
        || name.startsWith("org.w3c.dom.") // of java.xml
        || name.startsWith("org.xml.sax.")
        || room.libraries().stream().flatMap(List::stream).anyMatch(name::startsWith);
  }

  @Test
  void nothingReachesIntoTheJdk() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.kiln.process.ProcessSignal") // sun.misc.Signal, and why
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "the JDK doesn't offer to others",
                target -> {
                  String name = target.getFullName();
                  return name.startsWith("sun.")
                      || name.startsWith("jdk.internal.")
                      || name.startsWith("com.sun.");
                }))
        .check(classes);
  }

  private static String room(JavaClass javaClass) {
    String rest = javaClass.getFullName().substring("io.kiln.".length());
    return rest.substring(0, rest.indexOf('.'));
  }

  /// The rows of the table: room, what lives there, which rooms it may use, which libraries.
  private static Map<String, Room> table() throws IOException {
    Map<String, Room> found = new TreeMap<>();
    for (String line : Files.readAllLines(ROOT.resolve("ARCHITECTURE.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        Set<String> mayUse = new TreeSet<>();
        ROOM.matcher(row.group(2)).results().forEach(m -> mayUse.add(m.group(1)));
        found.put(row.group(1), new Room(row.group(1), mayUse, libraries(row.group(3))));
      }
    }
    assertThat(found).as("rows of the table in ARCHITECTURE.md").isNotEmpty();
    return found;
  }

  private static Optional<List<String>> libraries(String cell) {
    List<String> prefixes =
        Pattern.compile("`([a-z0-9.]+)`")
            .matcher(cell)
            .results()
            .map(m -> m.group(1) + ".")
            .toList();
    return prefixes.isEmpty() ? Optional.empty() : Optional.of(prefixes);
  }
}
