package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.kiln.dist.PageRun.NotRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Every command and program that a page shows is run as it is written, in the order of the page,
/// on the built distribution; and what the page shows to follow is what follows.
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class DocsTest {

  private static final String README = "README.md";
  private static final String SUBMITTING = "docs/submitting.md";
  private static final String STANDALONE = "docs/standalone.md";
  private static final String SECURITY = "docs/security.md";

  /// What is not run. A new block is either run, or gets an entry here.
  private static final List<NotRun> NOT_RUN =
      List.of(
          new NotRun(README, "mvn -B verify", "runs all tests, this one too"),
          new NotRun(README, " your program", "a drawing"),
          new NotRun("docs/shell.md", "bin/spark-shell [options]", "a synopsis"),
          new NotRun(SUBMITTING, "bin/spark-submit [options]", "a synopsis"),
          new NotRun(SUBMITTING, "bin/run-example SparkPi", "needs a checkout: FirstRunTest"),
          new NotRun(SUBMITTING, "bin/spark-submit --principal", "needs Kerberos: LoginTest"),
          new NotRun(SUBMITTING, "26/11/28", "the form of a line of the log: JobsTest"),
          new NotRun(SUBMITTING, "[Stage 0:", "drawn on a terminal: ShellTerminalTest"),
          new NotRun(STANDALONE, "cp systemd/", "needs systemd, as its own user"),
          new NotRun(STANDALONE, "systemctl ", "needs systemd"),
          new NotRun(STANDALONE, "docker ", "needs a registry of images: ContainerEntryTest"),
          new NotRun(SECURITY, "spark.ssl.rpc.keyStore=", "an error: OwnCertificatesTest"),
          new NotRun(SECURITY, "A connection from", "a line of the log: CertifiedTest"),
          new NotRun("docs/network.md", "executor 0 was lost", "an error: ExecutorLossTest"),
          new NotRun(
              "docs/standalone-messages.md", "18:37:52", "lines of a log: StandaloneSequenceTest"));

  /// Each has a method below; `pagesWithoutCommands` takes the others, and whatever page is new.
  private static final Set<String> PAGES_WITH_A_TEST =
      Set.of(
          "embedding.md",
          "first-job.md",
          "rest-submission.md",
          "security.md",
          "shell.md",
          "standalone.md",
          "submitting.md");

  @TempDir Path directory;
  private Installation kiln;
  private Path scratch;
  private List<String> apart;
  private Programs programs;

  @BeforeEach
  void install() throws Exception {
    scratch = Files.createDirectory(directory.resolve("scratch"));
    kiln = Installation.in(directory);
    programs = new Programs(kiln.directory(), scratch);
    apart = ConsoleSession.wayApart(scratch);
    assumeFalse(
        apart.isEmpty(),
        "unshare (of util-linux) can't give processes a network of their own here");
  }

  @AfterEach
  void remove() throws Exception {
    // JUnit would follow no link either, but warn of each.
    Object[] made = {"rm", "-rf", kiln.directory(), kiln.home(), directory.resolve("repository")};
    assertThat(new Command(scratch, made).run().exitCode()).isZero();
  }

  @Test
  void pagesWithoutCommands() throws Exception {
    try (Stream<Path> pages = Files.list(Layout.CHECKOUT.resolve("docs"))) {
      List<String> names =
          pages
              .map(page -> page.getFileName().toString())
              .filter(name -> name.endsWith(".md") && !PAGES_WITH_A_TEST.contains(name))
              .toList();
      for (String name : names) {
        run(new PageRun("docs/" + name, NOT_RUN));
      }
    }
  }

  @Test
  void readme() throws Exception {
    Files.writeString(kiln.directory().resolve("book.txt"), "To be, or not to be");
    run(
        new PageRun(README, NOT_RUN)
            .use("Kiln", shown -> programs.pack("Words", Programs.main("Words", shown)))
            .after("Kiln", "bin/spark-submit words.jar | grep '(be,2)'"));
  }

  @Test
  void shell() throws Exception {
    run(page("shell"));
  }

  @Test
  void submitting() throws Exception {
    Path place = kiln.directory();
    Files.createSymbolicLink(
        place.resolve("kjv.txt"), Layout.HOME.resolve("examples/data/kjv.txt"));
    Files.writeString(place.resolve("note.txt"), "a note\n");
    Files.writeString(
        Files.createDirectories(place.resolve("env/etc")).resolve("model.txt"), "a value\n");
    Files.createDirectory(place.resolve("hadoop-conf"));
    programs.keepGuava(kiln.home().resolve(".m2/repository"));
    programs.pack("Who", Programs.WHO);
    programs.pack("Jobs", Programs.JOBS);
    run(
        page("submitting")
            .before("Settings", Programs.PACK_APP)
            .before("Jars, files and archives", "tar -czf env.tgz -C env etc")
            .use(
                "Jars, files and archives",
                shown -> programs.pack("Words", Programs.WORDS.formatted(shown.indent(8))))
            .before(
                "Missing classes",
                "cp words.jar copy.jar && cp ~/.m2/repository/com/google/guava/guava/*/*.jar ."));
  }

  @Test
  void standalone() throws Exception {
    String start = "sbin/start-master.sh --host 127.0.0.1 && ";
    String worker = "sbin/start-worker.sh --cores 2 --memory 2g spark://127.0.0.1:7077";
    run(
        page("standalone")
            .before(
                "Taking a worker away",
                start + "SPARK_WORKER_OPTS=-Dspark.decommission.enabled=true " + worker)
            .before("Drivers on the cluster", worker)
            .before(
                "As a quorum of their own",
                "sbin/stop-worker.sh && sbin/stop-master.sh && rm logs/*")
            .use("As a quorum of their own", shown -> writeMastersConf(shown))
            .after("As a quorum of their own", "sbin/stop-worker.sh")
            .after("Logs", "[[ $SPARK_WORKER_OPTS == *rolling* ]]"));
  }

  private void writeMastersConf(String shown) throws IOException {
    String peers = "127.0.0.1:7099,127.0.0.1:7100,127.0.0.1:7101";
    Files.writeString(
        kiln.directory().resolve("masters.conf"),
        shown
            .replace("host1:7099,host2:7099,host3:7099", peers)
            .replace("/var/lib/kiln", directory.resolve("recovery").toString()));
  }

  /// Pages show no quotes around it, and a checkout's path may have spaces.
  private Path installed(String directoryName, Path file) {
    return kiln.directory().resolve(directoryName).resolve(file.getFileName());
  }

  @Test
  void restSubmission() throws Exception {
    Path example = installed("examples/jars", Layout.jars("examples/jars").getFirst());
    run(
        page("rest-submission")
            .with("HOST", "127.0.0.1")
            .with("http://store/app.jar", example)
            .with("org.example.Pi", "io.kiln.examples.SparkPi")
            .before(
                "By `spark-submit`",
                "SPARK_MASTER_OPTS=-Dspark.master.rest.enabled=true"
                    + " sbin/start-master.sh --host 127.0.0.1"
                    + " && sbin/start-worker.sh --cores 2 --memory 2g spark://127.0.0.1:7077"));
  }

  @Test
  void embedding() throws Exception {
    Path place = Files.createDirectory(directory.resolve("nightly"));
    runIn(
        place,
        page("embedding")
            .use(
                "Launching applications from a program",
                shown -> programs.compile(place, "Nightly", Programs.nightly(shown)))
            .before(
                "Launching applications from a program", "export SPARK_HOME=" + kiln.directory()));
  }

  @Test
  void security() throws Exception {
    run(
        page("security")
            .before("Own certificates", "export STORE_PASSWORD=changeit")
            .use(
                "Own certificates",
                shown ->
                    Files.writeString(
                        kiln.directory().resolve("tls.conf"), shown.replace("…", "changeit"))));
  }

  /// Maven is not kept from fetching what it lacks; no port is used here that others may use.
  @Test
  void firstJob() throws Exception {
    Path project = Files.createDirectory(directory.resolve("first-job"));
    Path repository = directory.resolve("repository");
    Path counts = directory.resolve("counts");
    Path text = installed("examples/data", Path.of("kjv.txt"));
    programs.keepKiln(repository);
    apart = apart.stream().filter(word -> !word.equals("--net")).toList();
    runIn(
        project,
        page("first-job")
            .with("/path/to/kiln", kiln.directory())
            .with("/path/to/a/text.txt", text)
            .before(
                "Run it in its own process",
                "export MAVEN_OPTS=-Dmaven.repo.local='%s'".formatted(repository))
            .use("Save the result", shown -> packSaving(project, shown, counts))
            .after(
                "Save the result",
                "'%s'/bin/spark-submit '%s'/countwords.jar '%s' && ls '%s'/_SUCCESS"
                    .formatted(kiln.directory(), kiln.directory(), text, counts)));
  }

  /// The page's program with what it shows to be put in place of `top`.
  private void packSaving(Path project, String shown, Path counts) throws IOException {
    String source =
        Files.readString(project.resolve("src/main/java/org/example/CountWords.java"))
            .replaceFirst(
                "(?s)counts\\s+\\.top.*?;\n", shown.replace("/path/to/counts", counts.toString()));
    programs.pack("CountWords", source);
  }

  private PageRun page(String name) {
    return new PageRun("docs/" + name + ".md", NOT_RUN);
  }

  private void run(PageRun page) throws Exception {
    runIn(kiln.directory(), page);
  }

  private void runIn(Path place, PageRun page) throws Exception {
    try (ConsoleSession session = new ConsoleSession(place, scratch, apart, kiln.environment())) {
      page.run(session, place);
    }
  }
}
