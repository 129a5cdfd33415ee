package io.kiln.network.transport;

import io.kiln.api.KilnException;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.transport.Introduction.Purpose;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One process's door to others: it is reached at what it listens to, and reaches others by links
/// for messages and by streams. Thread-safe.
///
/// With a secret, every connection is TLS 1.3, and nothing is sent or believed before both sides
/// have proved that they know it. A process that doesn't listen is reached through the links that
/// it has opened itself.
public final class Transport implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Transport.class);
  private static final int MAX_REQUEST_BYTES = 1 << 20;

  private final TransportOptions options;
  private final RecordCodec codec;
  private final LinkListener listener;
  private final Endpoints endpoints = new Endpoints();
  private final Connector connector;
  private final StreamConnections streams;
  private final FrameRoom room = FrameRoom.ofHeap();
  private final RefusedConnections refusals = new RefusedConnections(LOG::warn);
  private final Map<NodeAddress, Link> links = new ConcurrentHashMap<>();
  private final List<Channel> listening = new CopyOnWriteArrayList<>();
  private volatile ContentSource source =
      (_, request) -> {
        throw new KilnException(
            "NO_CONTENT",
            KilnException.Kind.EXTERNAL,
            "nobody here has " + request.getClass().getSimpleName());
      };

  /// @param listener hears of all links, whichever side opened them
  public Transport(TransportOptions options, RecordCodec codec, LinkListener listener) {
    this.options = options;
    this.codec = codec;
    this.listener = listener;
    this.connector = new Connector(options, codec);
    this.streams = new StreamConnections(connector, codec, options);
  }

  // ---- being reached --------------------------------------------------------------------------

  /// Everything that is sent to the endpoint from now on goes there.
  ///
  /// @throws IllegalArgumentException if the name is taken
  public void addReceiver(String endpoint, Receiver receiver) {
    endpoints.addReceiver(endpoint, receiver);
  }

  public void addResponder(String endpoint, Responder responder) {
    endpoints.addResponder(endpoint, responder);
  }

  public void removeEndpoint(String endpoint) {
    endpoints.remove(endpoint);
  }

  /// From now on, contents come from there.
  public void serve(ContentSource newSource) {
    source = newSource;
  }

  /// Lets others connect: [#bind] and [#accept].
  ///
  /// @return what to tell others
  /// @throws KilnException `PORT_UNAVAILABLE`, `ADDRESS_UNAVAILABLE`
  public NodeAddress listen(String bindHost, String advertisedHost, ListenPort port) {
    NodeAddress bound = bind(bindHost, advertisedHost, port);
    accept();
    return bound;
  }

  /// @param port from 1 to 65535, that one and no other; or 0 for any
  public NodeAddress listen(String bindHost, String advertisedHost, int port) {
    return listen(bindHost, advertisedHost, ListenPort.exactly(port, ""));
  }

  /// From now on, who has connected to what is bound is heard. Whoever is to receive was added
  /// before, or what comes first is lost.
  public void accept() {
    listening.forEach(channel -> channel.config().setAutoRead(true));
  }

  /// Takes a port; who connects waits for [#accept].
  ///
  /// @param bindHost of the interface; `0.0.0.0` or `::` for all
  /// @param advertisedHost by which others reach it
  /// @return what to tell others
  /// @throws KilnException `PORT_UNAVAILABLE`, `ADDRESS_UNAVAILABLE`
  public NodeAddress bind(String bindHost, String advertisedHost, ListenPort port) {
    return new NodeAddress(advertisedHost, port.open("listen", bindHost, "", this::bind));
  }

  private int bind(InetSocketAddress address) throws IOException {
    ChannelFuture binding = connector.bind(address, new Arriving());
    binding.awaitUninterruptibly();
    if (!binding.isSuccess()) {
      throw new IOException(Causes.line(binding.cause()), binding.cause());
    }
    listening.add(binding.channel());
    return ((InetSocketAddress) binding.channel().localAddress()).getPort();
  }

  // ---- reaching others ------------------------------------------------------------------------

  /// The link to a process that listens there: the one that is there already, or a new one, which
  /// opens in the background and closes if it can't.
  public Link link(NodeAddress address) {
    return links.compute(
        address, (_, known) -> known != null && known.isUsable() ? known : newLink(address));
  }

  private Link newLink(NodeAddress address) {
    Link link = new Link(address, codec, options, new Forgetting());
    Thread.ofVirtual().name("kiln-connect-" + address).start(() -> connect(link));
    return link;
  }

  /// Looks the name up, which may take long.
  private void connect(Link link) {
    try {
      connector
          .connect(link.address().resolved(), Purpose.MESSAGES, new Opening(link))
          .addListener(
              connecting -> {
                if (!connecting.isSuccess()) {
                  link.close("it can't be reached: " + Causes.line(connecting.cause()));
                }
              });
    } catch (Throwable e) { // what was sent to it must not wait
      link.close("it can't be reached: " + Causes.line(e));
    }
  }

  /// Asks the process that listens there for contents. Blocks until it answers.
  ///
  /// @param request a registered record
  /// @throws KilnException what it says instead
  /// @throws IOException if it can't be reached or breaks off
  public ContentStream open(NodeAddress address, Record request)
      throws IOException, InterruptedException {
    return streams.open(address, request);
  }

  /// Closes all that was opened; idempotent.
  @Override
  public void close() {
    listening.forEach(Channel::close);
    links.values().forEach(Link::close);
    connector.close();
  }

  private void startMessages(ChannelHandlerContext context, Link link, Peer peer) {
    long silence = options.silenceTimeout().toMillis();
    ReadingPause pause = new ReadingPause(context.channel());
    ChannelPipeline pipeline = context.pipeline();
    pipeline.addLast(
        // two halves without a word in a row are silence
        new IdleStateHandler(
            Math.max(1, silence / 2), Math.max(1, silence / 3), 0, TimeUnit.MILLISECONDS),
        new MessageFrames(link, codec, endpoints, options, pause));
    link.opened(context.channel(), peer);
    pipeline.remove(Connector.INTRODUCTION);
    pipeline.replace(
        Connector.FRAMES,
        Connector.FRAMES,
        new MessageFrameDecoder(options.maxMessageBytes(), room, pause));
  }

  private void startStreams(ChannelHandlerContext context, Peer peer) {
    ChannelPipeline pipeline = context.pipeline();
    pipeline.addLast(new ContentSender(peer, codec, (from, request) -> source.open(from, request)));
    pipeline.remove(Connector.INTRODUCTION);
    pipeline.replace(Connector.FRAMES, Connector.FRAMES, Connector.frames(MAX_REQUEST_BYTES));
  }

  /// A connection that this process opened.
  private final class Opening implements IntroductionHandler.Outcome {
    private final Link link;

    Opening(Link link) {
      this.link = link;
    }

    @Override
    public void introduced(ChannelHandlerContext context, Introduction other) {
      startMessages(context, link, other.peer());
    }

    @Override
    public void failed(ChannelHandlerContext context, String why) {
      link.close(why);
    }
  }

  /// A connection that came from outside.
  private final class Arriving implements IntroductionHandler.Outcome {
    @Override
    public void introduced(ChannelHandlerContext context, Introduction other) {
      connector.believed(context.channel());
      if (other.purpose() == Purpose.STREAMS) {
        startStreams(context, other.peer());
      } else {
        Link link = new Link(origin(context), codec, options, listener);
        startMessages(context, link, other.peer());
      }
    }

    @Override
    public void failed(ChannelHandlerContext context, String why) {
      Channel channel = context.channel();
      refusals.refused(channel.remoteAddress(), why, channel.eventLoop());
    }

    private static NodeAddress origin(ChannelHandlerContext context) {
      InetSocketAddress from = (InetSocketAddress) context.channel().remoteAddress();
      return new NodeAddress(from.getAddress().getHostAddress(), from.getPort());
    }
  }

  /// Makes room for the next link to the same address.
  private final class Forgetting implements LinkListener {
    @Override
    public void linkOpened(Link link) {
      listener.linkOpened(link);
    }

    @Override
    public void linkClosed(Link link, String why) {
      links.remove(link.address(), link);
      listener.linkClosed(link, why);
    }
  }
}
