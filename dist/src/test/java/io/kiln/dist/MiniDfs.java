package io.kiln.dist;

import io.kiln.base.resource.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/// A real HDFS of one name node and two data nodes in the process of the tests, started when first
/// asked for; it ends with the process.
final class MiniDfs {
  private static MiniDFSCluster cluster;

  private MiniDfs() {}

  /// Started and out of safe mode.
  static synchronized MiniDFSCluster cluster() throws IOException {
    if (cluster == null) {
      // A data node can't have a space in its path, which that of a checkout may have.
      Path directory = Files.createTempDirectory("kiln-test-dfs");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(directory)));
      Configuration configuration = new Configuration();
      configuration.set("hdfs.minidfs.basedir", directory.resolve("nodes").toString());
      configuration.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
      configuration.setInt("dfs.namenode.fs-limits.min-block-size", 1);
      cluster =
          new MiniDFSCluster.Builder(configuration)
              .numDataNodes(2)
              .hosts(new String[] {"127.0.0.1", "127.0.0.1"})
              .build();
      cluster.waitActive();
    }
    return cluster;
  }

  private static void remove(Path directory) {
    try {
      FileTree.remove(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// `hdfs://host:port`, of a directory below it that nobody else uses.
  static String newDirectory(String name) throws IOException {
    return cluster().getURI() + "/" + name + "-" + System.nanoTime();
  }

  /// A directory with a `core-site.xml` that has this file system as the default.
  static Path configuration(Path parent) throws IOException {
    Path conf = Files.createDirectory(parent.resolve("hadoop-conf"));
    Files.writeString(
        conf.resolve("core-site.xml"),
        "<configuration><property><name>fs.defaultFS</name><value>"
            + cluster().getURI()
            + "</value></property></configuration>");
    return conf;
  }
}
