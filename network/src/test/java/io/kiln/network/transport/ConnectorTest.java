package io.kiln.network.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectorTest {

  /// A process ends with a thread that dies of what nobody catches; of the death of an event loop,
  /// Netty tells nobody.
  @Test
  void whereAThreadOfTheNetworkDiesAThreadOfTheProcessDies() throws Exception {
    CompletableFuture<Throwable> died = new CompletableFuture<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((_, failure) -> died.complete(failure));
    try (Connector connector =
        new Connector(Ground.options("driver", Optional.empty()), Ground.CODEC)) {
      EventLoop loop =
          connector
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new Nobody())
              .sync()
              .channel()
              .eventLoop();

      var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);

      assertThat(died.get()).hasMessageContaining("a thread of the network has died");
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  /// Hears of no connection, since none is made.
  private static final class Nobody implements IntroductionHandler.Outcome {
    @Override
    public void introduced(ChannelHandlerContext context, Introduction other) {}

    @Override
    public void failed(ChannelHandlerContext context, String why) {}
  }
}
