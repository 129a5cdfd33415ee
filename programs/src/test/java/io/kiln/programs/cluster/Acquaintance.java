package io.kiln.programs.cluster;

import io.kiln.api.Version;
import io.kiln.network.security.Protection;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.Transport;
import io.kiln.network.transport.TransportOptions;
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.storage.remote.StorageProtocol;
import java.util.concurrent.CompletableFuture;

/// Whether one of the cluster's processes believes somebody who comes.
final class Acquaintance {
  private Acquaintance() {}

  /// @param port on which the process listens, on this machine
  /// @param protection as the one who comes has it
  static boolean isMade(int port, Protection protection) throws Exception {
    CompletableFuture<Boolean> believed = new CompletableFuture<>();
    LinkListener listener =
        new LinkListener() {
          @Override
          public void linkOpened(Link link) {
            believed.complete(true);
          }

          @Override
          public void linkClosed(Link link, String why) {
            believed.complete(false);
          }
        };
    TransportOptions options =
        TransportOptions.of(new Peer("executor-77", 1, Version.CURRENT), protection);
    try (Transport transport =
        new Transport(options, ExecutorProtocol.codec(StorageProtocol::register), listener)) {
      Link _ = transport.link(new NodeAddress("127.0.0.1", port));
      return believed.get();
    }
  }
}
