package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Holds the machines to their purity: machines decide, hosts act. So one seed of a simulation is
/// one run, in whichever JVM.
class MachinePurityTest {
  private static final String[] PURE = {
    "io.kiln.scheduler", "io.kiln.protocol", "io.kiln.cluster", "io.kiln.base.machine"
  };

  private static final Set<String> EDGE_CLASSES =
      Set.of(
          "java.lang.Thread",
          "java.lang.ThreadLocal",
          "java.lang.Process",
          "java.lang.ProcessBuilder",
          "java.util.Random",
          "java.util.SplittableRandom",
          "java.util.UUID",
          "java.util.Timer",
          "java.util.IdentityHashMap",
          "java.util.WeakHashMap",
          "java.security.SecureRandom",
          "java.time.Clock",
          "java.time.InstantSource");

  private static final List<String> EDGE_PREFIXES =
      List.of(
          "java.util.concurrent.",
          "java.util.random.RandomGeneratorFactory",
          "java.nio.file.",
          "java.io.File",
          "java.net.",
          "org.slf4j.");

  private static final Set<String> EDGE_METHODS =
      Set.of(
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.lang.System.getenv",
          "java.lang.System.getProperty",
          "java.lang.System.exit",
          "java.lang.System.identityHashCode",
          "java.lang.Object.hashCode",
          "java.lang.Math.random",
          "java.util.random.RandomGenerator.of",
          "java.util.random.RandomGenerator.getDefault");

  /// What they make has an order that differs from one JVM to the next.
  private static final Set<String> UNORDERED =
      Set.of(
          "java.util.Set.copyOf",
          "java.util.Map.copyOf",
          "java.util.Map.ofEntries",
          "java.util.stream.Collectors.toUnmodifiableSet",
          "java.util.stream.Collectors.toUnmodifiableMap");

  @Test
  void machinesTouchNoThreadClockFileOrChance() {
    List<String> found = new ArrayList<>();
    new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages(PURE)
        .forEach(machine -> found.addAll(impurities(machine)));

    assertThat(found).isEmpty();
  }

  /// Each class in [Planted] does what no machine may.
  @TestFactory
  Stream<DynamicTest> whatMustNotBeIsFound() {
    return Arrays.stream(Planted.class.getDeclaredClasses())
        .map(
            planted ->
                DynamicTest.dynamicTest(
                    planted.getSimpleName(),
                    () ->
                        assertThat(impurities(new ClassFileImporter().importClass(planted)))
                            .isNotEmpty()));
  }

  @Test
  void whatHasAnOrderMayBe() {
    assertThat(impurities(new ClassFileImporter().importClass(Ordered.class))).isEmpty();
  }

  private static List<String> impurities(JavaClass machine) {
    List<String> found = new ArrayList<>();
    machine.getDirectDependenciesFromSelf().stream()
        .filter(dependency -> isOfTheEdges(dependency.getTargetClass().getFullName()))
        .forEach(dependency -> found.add(dependency.getDescription()));
    machine.getAccessesFromSelf().stream()
        .filter(MachinePurityTest::isImpure)
        .forEach(access -> found.add(access.getDescription()));
    IdentityHashes.in(machine.reflect())
        .forEach(where -> found.add(where + " has the order of identity hashes"));
    return found;
  }

  private static boolean isOfTheEdges(String name) {
    return EDGE_CLASSES.contains(name) || EDGE_PREFIXES.stream().anyMatch(name::startsWith);
  }

  private static boolean isImpure(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getFullName();
    String method = owner + "." + access.getTarget().getName();
    return EDGE_METHODS.contains(method)
        || UNORDERED.contains(method)
        || (owner.startsWith("java.time.") && access.getTarget().getName().equals("now"))
        || (access.getTarget() instanceof CodeUnitAccessTarget factory && hasSeveral(factory));
  }

  /// Whether it is `Set.of` or `Map.of` of more than one.
  private static boolean hasSeveral(CodeUnitAccessTarget factory) {
    List<JavaClass> parameters = factory.getRawParameterTypes();
    return switch (factory.getOwner().getFullName() + "." + factory.getName()) {
      case "java.util.Set.of" ->
          parameters.size() > 1 || parameters.stream().anyMatch(JavaClass::isArray);
      case "java.util.Map.of" -> parameters.size() > 2;
      default -> false;
    };
  }

  private enum Colour {
    RED
  }

  private static final class Plain {}

  private record Pair(int number, Colour colour) {}

  /// Uses that are refused, each in a class of its own.
  @SuppressWarnings("unused")
  static final class Planted {
    static final class WallClock {
      Instant now() {
        return Instant.now();
      }
    }

    static final class WallClockByReference {
      Supplier<LocalDateTime> now() {
        return LocalDateTime::now;
      }
    }

    static final class HostClock {
      long now() {
        return System.nanoTime();
      }
    }

    static final class Chance {
      int draw() {
        return new SecureRandom().nextInt();
      }
    }

    static final class DefaultChance {
      int draw() {
        return RandomGenerator.getDefault().nextInt();
      }
    }

    static final class Environment {
      Map<String, String> read() {
        return System.getenv();
      }
    }

    static final class Waits {
      void now() throws InterruptedException {
        TimeUnit.SECONDS.sleep(0);
      }
    }

    static final class SaltedSet {
      Set<String> make() {
        return Set.of("a", "b");
      }
    }

    static final class SaltedMap {
      Map<String, String> make() {
        return Map.of("a", "b", "c", "d");
      }
    }

    static final class SaltedCopy {
      Set<String> make(Set<String> of) {
        return Set.copyOf(of);
      }
    }

    static final class SaltedCollector {
      Set<String> make(Stream<String> of) {
        return of.collect(Collectors.toUnmodifiableSet());
      }
    }

    static final class IdentityMap {
      Map<String, String> make() {
        return new IdentityHashMap<>();
      }
    }

    static final class IdentityHash {
      int of(Plain plain) {
        return plain.hashCode();
      }
    }

    static final class MapByEnum {
      private final Map<Colour, String> names = new HashMap<>();
    }

    static final class SetOfObjects {
      private final Set<Plain> all = new HashSet<>();
    }

    static final class MapByRecordOfEnum {
      private final Map<Pair, String> names = new HashMap<>();
    }

    static final class LocalSet {
      int count(List<Plain> some) {
        Set<Plain> all = new HashSet<>(some);
        return all.size();
      }
    }
  }

  /// Uses that are not.
  @SuppressWarnings("unused")
  private static final class Ordered {
    private record Key(String name, int number) {}

    private final Map<Key, String> byKey = new HashMap<>();
    private final Set<Plain> all = new LinkedHashSet<>();

    Map<String, String> none() {
      return Map.of();
    }

    Set<String> one() {
      Set<Integer> numbers = new HashSet<>();
      return numbers.isEmpty() ? Set.of("a") : Set.of();
    }
  }
}
