package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.base.settings.Setting;
import io.kiln.base.settings.SettingGroup;
import io.kiln.base.settings.SettingRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the pages name is there: files and headings behind links, classes, packages, settings.
class PagesTest {

  private static final String COMING_FROM_SPARK = "coming-from-spark.md";

  /// Generated, also for cluster managers whose settings are not honoured yet.
  private static final String OPTIONS = "options.md";

  /// What pages name and this source tree does not define.
  private static final Set<String> OTHERS_NAMES =
      Set.of(
          // Of Apache Spark and of Hadoop.
          "spark.jars.ivySettings",
          "JWSFilter",
          "UserGroupInformation",
          "SubjectInheritingThread",
          // Of the launcher's channel, which has no registry.
          "spark.launcher.childConectionTimeout",
          // Names of loggers.
          "io.kiln.launcher.app.",
          "io.kiln.standalone.messages",
          // Names of files.
          "cluster.secret",
          "cluster.worker.key",
          "cluster.submit.key",
          // Answers and headers of HTTP.
          "CreateSubmissionResponse",
          "SubmissionStatusResponse",
          "KillSubmissionResponse",
          "KillAllSubmissionResponse",
          "ClearResponse",
          "ReadyzResponse",
          "ErrorResponse",
          "Host",
          // Words of the JDK that name no class.
          "TLSv1.2",
          "Unsafe");

  private static SourceNames sources;

  @TempDir Path directory;

  @BeforeAll
  static void readSources() throws IOException {
    sources = SourceNames.of(Layout.CHECKOUT);
  }

  @Test
  void whatPagesNameIsThere() throws IOException {
    PageCheck check = new PageCheck(sources, OTHERS_NAMES);
    List<String> faults = new ArrayList<>();
    for (Path page : pages()) {
      List<String> found =
          page.endsWith(COMING_FROM_SPARK)
              ? check.faultsOfTables(page)
              : isDecision(page) || page.endsWith(OPTIONS)
                  ? check.deadLinks(page)
                  : check.faults(page);
      found.forEach(fault -> faults.add(Layout.CHECKOUT.relativize(page) + " " + fault));
    }

    assertThat(faults).isEmpty();
  }

  @Test
  void whatIsNotThereIsFound() throws IOException {
    Path page = directory.resolve("page.md");
    Files.writeString(directory.resolve("other.md"), "# A heading, with `code`\n");
    Files.writeString(
        page,
        """
        # Top
        [no file](none.md) [no heading](other.md#no) [none here](#bottom)
        `NoSuchClass` `io.kiln.api.NoSuchType` `io.kiln.none.RDD` `driver.none` `PairRDD.noMember()`
        `-Dtest=NoSuchTest` `spark.no.such`
        [a file](other.md) [a heading](other.md#a-heading-with-code) [here](#top)
        `KilnContext.textFile(path)` `io.kiln.api.RDD` `base.machine` `-Dtest=PagesTest` `Theirs`
        `spark.master` `Files.list`
        ```
        `NotLookedAt` [nor this](none.md)
        ```
        """);

    assertThat(new PageCheck(sources, Set.of("Theirs")).faults(page))
        .containsExactly(
            "(none.md): there is no such file",
            "(other.md#no): the page has no such heading",
            "(#bottom): the page has no such heading",
            "`NoSuchClass`: no such class",
            "`io.kiln.api.NoSuchType`: no such class",
            "`io.kiln.none.RDD`: no such package",
            "`driver.none`: no such package",
            "`PairRDD.noMember()`: the class has no such member",
            "`-Dtest=NoSuchTest`: no such class",
            "`spark.no.such`: no such setting");
  }

  @Test
  void everyPortIsOnThePageOfPorts() throws IOException {
    String page = Files.readString(Layout.CHECKOUT.resolve("docs/network.md"));
    Set<String> missing = new TreeSet<>();
    for (SettingGroup group : SettingRegistry.groups()) {
      for (Setting<?> setting : group.settings()) {
        if (setting.key().endsWith(".port") && !page.contains("`" + setting.key() + "`")) {
          missing.add(setting.key());
        }
      }
    }

    assertThat(missing).isEmpty();
  }

  @Test
  void eachPartOfSparksIsPlacedOnce() throws IOException {
    String page = Files.readString(Layout.CHECKOUT.resolve("docs/" + COMING_FROM_SPARK));
    List<String> parts =
        page.substring(page.indexOf("## Where each part lives"))
            .lines()
            .filter(line -> line.startsWith("| "))
            .map(line -> line.split(" \\| ", 2)[0])
            .flatMap(cell -> Pattern.compile("`[^`]+`").matcher(cell).results())
            .map(MatchResult::group)
            .toList();

    assertThat(parts).hasSizeGreaterThan(50).doesNotHaveDuplicates();
  }

  @Test
  void theIndexNamesEveryPage() throws IOException {
    String index = Files.readString(Layout.CHECKOUT.resolve("docs/README.md"));
    try (Stream<Path> files = Files.list(Layout.CHECKOUT.resolve("docs"))) {
      assertThat(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
                  .filter(name -> !index.contains("(" + name + ")")))
          .isEmpty();
    }
  }

  private static boolean isDecision(Path page) {
    return page.getParent().getFileName().toString().equals("decisions");
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String directory : List.of("", "docs", "docs/decisions", "bench/results")) {
      try (Stream<Path> files = Files.list(Layout.CHECKOUT.resolve(directory))) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    return pages;
  }
}
