package io.kiln.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One client's connection: one request after the other. On the thread that moves bytes, but for
/// the answers.
///
/// ```
/// waits for a request ─► receives its body ─► answers it ─► waits for the next, or closes
///           │                     │
///           └─────────────────────┴─► refuses it ─► drops what still comes, and closes
/// ```
///
/// Each state has a deadline, at which the connection is closed; while it answers, nothing is read.
final class HttpConnection extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

  /// For a client that sends on while it is refused, and would not hear why if it were cut off.
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private final HttpBounds bounds;
  private final Connections connections;
  private final HostNames names;
  private final ExecutorService answers;
  private final Supplier<Optional<RequestHandler>> handlers;

  private final ByteArrayOutputStream body = new ByteArrayOutputStream(0);
  private Optional<RequestHandler> handler = Optional.empty();
  private Optional<RequestHead> head = Optional.empty();
  private Optional<Future<?>> deadline = Optional.empty();
  private boolean keepsAlive;
  private boolean answering;
  private boolean dropping;
  private int bodyTaken;

  HttpConnection(
      HttpBounds bounds,
      Connections connections,
      HostNames names,
      ExecutorService answers,
      Supplier<Optional<RequestHandler>> handlers) {
    this.bounds = bounds;
    this.connections = connections;
    this.names = names;
    this.answers = answers;
    this.handlers = handlers;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    within(bounds.requestWithin(), context);
    context.fireChannelActive();
  }

  /// @param limit after which the connection is closed, unless another is set
  private void within(Duration limit, ChannelHandlerContext context) {
    deadline.ifPresent(known -> known.cancel(false));
    deadline =
        Optional.of(
            context
                .executor()
                .schedule(
                    () -> {
                      LOG.debug("{} took too long", context.channel().remoteAddress());
                      context.close();
                    },
                    limit.toMillis(),
                    TimeUnit.MILLISECONDS));
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    deadline.ifPresent(known -> known.cancel(false));
    if (!answering) {
      giveBackBody();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      if (message instanceof HttpRequest request && !dropping) {
        begin(context, request);
      }
      if (message instanceof HttpContent content && !answering && !dropping) {
        receive(context, content);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  // ---- a request ------------------------------------------------------------------------------

  private void begin(ChannelHandlerContext context, HttpRequest request) {
    handler = handlers.get();
    keepsAlive = HttpUtil.isKeepAlive(request);
    DecoderResult decoded = request.decoderResult();
    if (decoded.isFailure()) {
      refuse(context, undecoded(decoded.cause()));
      return;
    }
    if (handler.isEmpty()) {
      refuse(context, Response.line(Response.UNAVAILABLE, "It is starting; try again later."));
      return;
    }
    RequestHandler known = handler.get();
    String host = request.headers().get(HttpHeaderNames.HOST);
    if (host == null ? request.protocolVersion().equals(HttpVersion.HTTP_1_1) : !names.mean(host)) {
      refuse(context, known.error(Response.OTHER_HOST, otherHost()));
      return;
    }
    RequestHead asked =
        new RequestHead(
            request.method().name(),
            path(request.uri()),
            name -> Optional.ofNullable(request.headers().get(name)));
    head = Optional.of(asked);
    Optional<Response> refusal =
        known.refusal(asked).or(() -> roomForBody(known, request, context));
    if (refusal.isPresent()) {
      refuse(context, refusal.get());
      return;
    }
    within(bounds.requestWithin(), context);
    if (HttpUtil.is100ContinueExpected(request)) {
      context.writeAndFlush(
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    }
  }

  private static String otherHost() {
    return "No server of this name is here: name it in spark.kiln.http.hosts, if it is.";
  }

  private static String path(String uri) {
    int query = uri.indexOf('?');
    return query < 0 ? uri : uri.substring(0, query);
  }

  private Response undecoded(Throwable cause) {
    int status =
        switch (cause) {
          case TooLongHttpHeaderException _ -> Response.HEADERS_TOO_LARGE;
          case TooLongHttpLineException _ -> Response.LINE_TOO_LONG;
          default -> Response.BAD_REQUEST;
        };
    String why =
        status == Response.BAD_REQUEST
            ? "This is no request of HTTP."
            : "The request's head is too large.";
    return handler
        .map(known -> known.error(status, why))
        .orElseGet(() -> Response.line(status, why));
  }

  /// Room for what is announced; for what comes in pieces, as much as it may become.
  private Optional<Response> roomForBody(
      RequestHandler known, HttpMessage request, ChannelHandlerContext context) {
    long announced =
        HttpUtil.isTransferEncodingChunked(request)
            ? known.maxBodyBytes()
            : HttpUtil.getContentLength(request, 0L);
    if (announced > known.maxBodyBytes()) {
      return Optional.of(tooLarge(known));
    }
    if (!connections.takeBody((int) announced)) {
      LOG.debug("{} has to come again: there is no room", context.channel().remoteAddress());
      return Optional.of(
          known.error(Response.UNAVAILABLE, "Too many requests at once; try again later."));
    }
    bodyTaken = (int) announced;
    return Optional.empty();
  }

  private static Response tooLarge(RequestHandler known) {
    return known.error(
        Response.TOO_LARGE, "The body is larger than " + known.maxBodyBytes() + " bytes.");
  }

  private void giveBackBody() {
    connections.giveBackBody(bodyTaken);
    bodyTaken = 0;
    body.reset();
  }

  private void receive(ChannelHandlerContext context, HttpContent content) {
    if (handler.isEmpty() || head.isEmpty()) {
      return;
    }
    RequestHandler known = handler.get();
    ByteBuf bytes = content.content();
    if (content.decoderResult().isFailure()) {
      refuse(context, undecoded(content.decoderResult().cause()));
    } else if (body.size() + bytes.readableBytes() > known.maxBodyBytes()) {
      refuse(context, tooLarge(known));
    } else {
      byte[] piece = new byte[bytes.readableBytes()];
      bytes.readBytes(piece);
      body.writeBytes(piece);
      if (content instanceof LastHttpContent) {
        answer(context, known, head.get(), body.toByteArray());
      }
    }
  }

  // ---- its answer -----------------------------------------------------------------------------

  private void refuse(ChannelHandlerContext context, Response response) {
    answering = true;
    dropping = true; // what follows may be a body that nobody reads
    keepsAlive = false;
    send(context, response);
  }

  private void answer(
      ChannelHandlerContext context, RequestHandler known, RequestHead asked, byte[] bytes) {
    answering = true;
    context.channel().config().setAutoRead(false);
    connections.answers(context.channel());
    deadline.ifPresent(each -> each.cancel(false)); // the handler has its own
    try {
      answers.execute(
          () -> {
            Response response = answer(known, asked, bytes);
            sendLater(context, response);
          });
    } catch (RejectedExecutionException e) {
      context.close(); // the server is closing
    }
  }

  private void sendLater(ChannelHandlerContext context, Response response) {
    try {
      context.executor().execute(() -> send(context, response));
    } catch (RejectedExecutionException e) {
      LOG.debug("The server has closed before its answer", e);
    }
  }

  private static Response answer(RequestHandler known, RequestHead asked, byte[] bytes) {
    try {
      return known.answer(asked, bytes);
    } catch (InterruptedException e) {
      return known.error(Response.UNAVAILABLE, "This process is ending.");
    } catch (RuntimeException | Error e) {
      LOG.error("A request to {} failed", asked.path(), e);
      return known.error(Response.FAILED, "Internal server error; the log here says more.");
    }
  }

  private void send(ChannelHandlerContext context, Response response) {
    giveBackBody();
    within(bounds.responseWithin(), context);
    FullHttpResponse message =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(response.status()),
            Unpooled.wrappedBuffer(response.body()));
    message
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, response.type())
        .set(HttpHeaderNames.CACHE_CONTROL, "no-cache, no-store, must-revalidate")
        .set("x-content-type-options", "nosniff")
        .set(HttpHeaderNames.X_FRAME_OPTIONS, "SAMEORIGIN");
    response.headers().forEach(message.headers()::set);
    HttpUtil.setContentLength(message, response.body().length);
    HttpUtil.setKeepAlive(message, keepsAlive);
    context
        .writeAndFlush(message)
        .addListener(
            (ChannelFutureListener)
                written -> {
                  if (written.isSuccess() && keepsAlive) {
                    next(context);
                  } else if (written.isSuccess() && dropping) {
                    within(FAREWELL, context);
                  } else {
                    context.close();
                  }
                });
  }

  private void next(ChannelHandlerContext context) {
    answering = false;
    head = Optional.empty();
    connections.waits(context.channel());
    within(bounds.idle(), context);
    context.channel().config().setAutoRead(true);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("The connection of {} is closed", context.channel().remoteAddress(), cause);
    context.close();
  }
}
