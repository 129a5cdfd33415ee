package io.kiln.recovery.zookeeper;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// A real ZooKeeper server, in a process of its own.
final class ZooKeeperProcess implements AutoCloseable {
  private final Process process;
  private final int port;

  ZooKeeperProcess(Path directory) throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path file = directory.resolve("zoo.cfg");
    Files.writeString(
        file,
        "dataDir=%s%nclientPort=%d%nclientPortAddress=127.0.0.1%ntickTime=500%nadmin.enableServer=false%nforceSync=no%n"
            .formatted(directory.resolve("data"), port));
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx512m", // it holds on to the last 500 transactions
                "-cp",
                System.getProperty("java.class.path"),
                "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("zookeeper.log").toFile())
            .start();
    while (!isReady()) {
      if (!process.isAlive()) {
        throw new IOException(Files.readString(directory.resolve("zookeeper.log")));
      }
      Thread.onSpinWait();
    }
  }

  private boolean isReady() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(200); // it may take a connection before it can answer
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      try (BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
        return in.lines().anyMatch(line -> line.startsWith("Mode: "));
      }
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  String url() {
    return "127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
