package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs that read and write files in a real HDFS, through the real script.
class HdfsTest {
  @TempDir static Path shared;
  @TempDir Path directory;
  private static Path application;
  private static FileSystem hdfs;

  @BeforeAll
  static void start() throws Exception {
    application = ProbeJar.withHadoop(shared);
    hdfs = FileSystem.get(URI.create(MiniDfs.cluster().getURI().toString()), new Configuration());
  }

  @ParameterizedTest
  @ValueSource(strings = {"local[2]", "local-cluster[2,1,512]"})
  void everyKindOfFileIsWrittenAndRead(String master) throws Exception {
    String root = MiniDfs.newDirectory("all");

    Result result = submit(master, "all", root).run();

    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .isEqualTo(
            """
            text 4950
            gzip 4950
            glob 2450
            objects 100
            whole 4
            binary /text/part-00000
            records [abc, def]
            checkpoint true 9900
            places [127.0.0.1]
            """);
    assertThat(names(root + "/text"))
        .containsExactly("_SUCCESS", "part-00000", "part-00001", "part-00002", "part-00003");
  }

  /// In executors that have no such file, and on a thread that does not know the application.
  @ParameterizedTest
  @CsvSource({"'local-cluster[1,1,512]', save", "local[2], save elsewhere"})
  void theDefaultIsWhatTheSiteFileSays(String master, String job) throws Exception {
    String path = URI.create(MiniDfs.newDirectory("default")).getPath();

    Result result =
        submit(master, job, path).with("HADOOP_CONF_DIR", MiniDfs.configuration(directory)).run();

    assertThat(result).isEqualTo(new Result(0, "", ""));
    assertThat(names(path)).startsWith("_SUCCESS");
  }

  @Test
  void localPathsLoadNothingOfHadoop() throws Exception {
    Path log = directory.resolve("log");
    Path lines = Files.writeString(directory.resolve("lines"), "a\nb\n");
    Path conf = Files.createDirectory(directory.resolve("conf"));
    Files.writeString(conf.resolve("core-site.xml"), "<configuration/>");

    Result result =
        submit("local", "count", lines.toString())
            .with("HADOOP_CONF_DIR", conf)
            .with("SPARK_SUBMIT_OPTS", "-Xlog:class+load:file=" + log)
            .run();

    assertThat(result).isEqualTo(new Result(0, "2\n", ""));
    assertThat(Files.readString(log))
        .contains("io.kiln.base.filesystem.LocalFileSystem ")
        .doesNotContain("org.apache.hadoop.", "io.kiln.hadoop.");
  }

  @Test
  void aJobThatFailsLeavesNothing() throws Exception {
    String root = MiniDfs.newDirectory("failing");

    Result result = submit("local[2]", "fail", root + "/out").run();

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(hdfs.exists(new org.apache.hadoop.fs.Path(root))).isFalse();
  }

  @Test
  void eachErrorIsOneLineThatSaysWhatToDo() throws Exception {
    String root = MiniDfs.newDirectory("errors");
    org.apache.hadoop.fs.Path there = new org.apache.hadoop.fs.Path(root);
    hdfs.mkdirs(there);

    assertFails(submit("local", "count", root + "/none"), "input path does not exist: " + root);
    assertFails(submit("local", "save", root), "output directory exists already: " + root);
    assertFails(submit("local", "count", "nosuch://x/y"), "no file system for the scheme 'nosuch'");
    assertFails(
        submit("local", "count", "s3a://bucket/y"),
        "--packages org.apache.hadoop:hadoop-aws:3.5.0");
    hdfs.setPermission(there, new FsPermission("700"));
    assertFails(
        submit("local", "save", root + "/out").with("HADOOP_USER_NAME", "stranger"),
        "permission denied for " + root + "/out (Permission denied: user=stranger");
  }

  @Test
  void aNameNodeThatCanNotBeReachedIsNamed() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    assertFails(
        submit("local", "count", "hdfs://127.0.0.1:" + free + "/x")
            .with("SPARK_SUBMIT_OPTS", "-Dspark.hadoop.ipc.client.connect.max.retries=1"),
        "the server does not answer");
    assertFails(submit("local", "count", "hdfs://no.such.host.invalid/x"), "no host has the name");
  }

  @Test
  void safeModeIsSaid() throws Exception {
    String out = MiniDfs.newDirectory("safe");
    DistributedFileSystem system = (DistributedFileSystem) hdfs;
    system.setSafeMode(SafeModeAction.ENTER);
    try {
      assertFails(submit("local", "save", out), "safe mode");
    } finally {
      system.setSafeMode(SafeModeAction.LEAVE);
    }
  }

  private static void assertFails(Command command, String message) throws Exception {
    Result result = command.run();
    assertThat(result.exitCode()).isEqualTo(1);
    // Hadoop's client may have logged a warning of its own before.
    assertThat(result.err().lines().filter(line -> line.startsWith("Exception in thread")))
        .singleElement()
        .asString()
        .contains(message);
    assertThat(result.out()).isEmpty();
  }

  private static List<String> names(String path) throws IOException {
    return Arrays.stream(hdfs.listStatus(new org.apache.hadoop.fs.Path(path)))
        .map(FileStatus::getPath)
        .map(org.apache.hadoop.fs.Path::getName)
        .toList();
  }

  private Command submit(String master, String... arguments) throws IOException {
    List<Object> words = new ArrayList<>();
    words.add(Layout.HOME.resolve("bin/spark-submit"));
    words.addAll(List.of("--master", master, "--class", "hadoop.HdfsJobs", application));
    words.addAll(List.of(arguments));
    return new Command(Files.createTempDirectory(directory, "run"), words.toArray());
  }
}
