package org.hourstone.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.internal.OutOfMemoryReport;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1 connection. Its requests are handled one after the other, in order. While a request is
 * handled, the connection is still read, so that the client's disconnection is detected; if the
 * client sends further requests, their bytes are kept, and reading stops. A large body is handled
 * in parts. A thread is used only while a part is handled, so no thread waits for a client to send.
 * Bytes received while a part is handled form the next part, after which reading stops. If a client
 * doesn't accept its responses, its connection is not read, because responses would fill the
 * memory.
 *
 * <p>All fields are used on the connection's network thread only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure to send ends the connection
final class HttpConnection extends SimpleChannelInboundHandler<Received> {
  private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

  private static final int RETRY_MILLIS = 100;

  private final Shared shared;
  private final Intake intake;
  private final UnparsedBytes unparsed;
  private final Queue<Received> ahead = new ArrayDeque<>();

  /** The request being handled. */
  private @Nullable Exchange exchange;

  /** The request that waits for the next part of its body and is not being handled. */
  private @Nullable Exchange open;

  private @Nullable ReceivedBody body;
  private @Nullable ClientPace pace;
  private boolean inputEnded;
  private boolean ending;

  /** Whether the body of a request is being received. */
  private boolean receiving;

  /** Whether the request being received is the last one. */
  private boolean stopping;

  private @Nullable ScheduledFuture<?> closing;

  /**
   * @param unparsed the bytes of the connection that are not parsed yet
   */
  HttpConnection(Shared shared, Intake intake, UnparsedBytes unparsed) {
    this.shared = shared;
    this.intake = intake;
    this.unparsed = unparsed;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    pace =
        new ClientPace(
            context.channel(), shared.options().patience().ofResponses(), System::nanoTime);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, Received next) {
    if (next instanceof Received.Whole) {
      unparsed.pause();
    }
    if (ending) {
      drop(context, next); // as all bytes until the connection is closed
    } else if (exchange == null && ahead.isEmpty() && context.channel().isWritable()) {
      take(context, next);
    } else {
      ahead.add(next);
      intake.want(false);
    }
  }

  private void take(ChannelHandlerContext context, Received next) {
    if (next instanceof Received.Head head) {
      begin(context, head.request());
    } else if (next instanceof Received.Whole whole) {
      handle(context, whole.request(), whole.body(), true);
    } else if (next instanceof Received.Part part) {
      handle(context, part.request(), part.body(), false);
    } else if (next instanceof Received.Refused refused) {
      refuse(context, refused);
    }
  }

  /** Counts a request that is refused before it is handled. */
  private void trace(
      ChannelHandlerContext context, @Nullable HttpRequest head, ApiResponse refusal) {
    shared
        .api()
        .trace(
            head == null ? "" : head.method().name(),
            head == null ? "" : RequestTarget.originForm(head.uri()),
            refusal,
            new Disconnection(ClientAddress.of(context.channel())));
  }

  /** Drops what was received behind the last request that is handled; it gets no response. */
  private void drop(ChannelHandlerContext context, Received next) {
    next.release();
    HttpRequest head =
        next instanceof Received.Whole whole
            ? whole.request()
            : next instanceof Received.Refused refused ? refused.request() : null;
    boolean isHandled =
        head != null
            && ((exchange != null && exchange.isOf(head)) || (open != null && open.isOf(head)));
    boolean isRequest = head != null || next instanceof Received.Refused;
    if (isRequest && !isHandled) {
      trace(
          context,
          head,
          ApiResponse.error(
              HttpResponseStatus.BAD_REQUEST.code(),
              HttpResponseStatus.BAD_REQUEST.reasonPhrase(),
              next instanceof Received.Refused refused && !refused.details().isEmpty()
                  ? refused.details()
                  : "the connection has ended before this request was handled"));
    }
  }

  private void begin(ChannelHandlerContext context, HttpRequest head) {
    receiving = true;
    shared.connections().received(true, 1);
    if (HttpUtil.is100ContinueExpected(head) && ahead.isEmpty()) {
      // As bytes, since the codec would interpret it as the response to the request, and the
      // response as that to the next request.
      context
          .pipeline()
          .context(HttpCodec.class)
          .writeAndFlush(Unpooled.copiedBuffer(CONTINUE, StandardCharsets.US_ASCII));
    }
  }

  private void handle(
      ChannelHandlerContext context, HttpRequest request, ReceivedBody part, boolean last) {
    receiving = !last;
    body = part;
    if (open == null) {
      start(context, request, part, last);
      return;
    }
    Exchange continued = open;
    open = null;
    exchange = continued;
    continued.receive(part, last);
    if (last && stopping) {
      ending = true;
      continued.endConnection();
    }
    goOn(context, continued);
  }

  private void start(
      ChannelHandlerContext context, HttpRequest request, ReceivedBody part, boolean last) {
    Exchange begun =
        new Exchange(
            shared, request, part, last, context.channel(), required(pace), () -> done(context));
    exchange = begun;
    if (last && stopping) {
      ending = true;
      begun.endConnection();
    }
    if (begun.isOfOpenPage()) {
      begun.run(); // monitoring need not wait for a thread, and this request never waits
      return;
    }
    try {
      hand(begun);
    } catch (RejectedExecutionException | OutOfMemoryError tooMany) { // requests or threads
      OutOfMemoryReport.reportUnlessOfThread(tooMany);
      begun.refuse();
    }
  }

  /**
   * Some of its points are already stored, so if too many requests wait, it is not refused but
   * waits, and so does its client.
   */
  private void goOn(ChannelHandlerContext context, Exchange continued) {
    try {
      hand(continued);
    } catch (RejectedExecutionException | OutOfMemoryError tooMany) {
      OutOfMemoryReport.reportUnlessOfThread(tooMany);
      if (context.channel().isActive()) {
        context
            .executor()
            .schedule(() -> goOn(context, continued), RETRY_MILLIS, TimeUnit.MILLISECONDS);
      } else {
        done(context);
      }
    }
  }

  private void hand(Exchange next) {
    RequestThreads.Kind kind = next.kind();
    boolean isOther = kind == RequestThreads.Kind.TEXT || kind == RequestThreads.Kind.LARGE_PUT;
    shared.threads().http(kind, next);
    if (isOther && shared.threads().areAwaited(kind)) {
      shared.connections().limits().count(ClientLimits.Limited.TURN);
    }
  }

  private void done(ChannelHandlerContext context) {
    Exchange handled = required(exchange);
    exchange = null;
    if (body != null) {
      body.release();
      body = null;
    }
    if (handled.wantsBody() && !ending) {
      open = handled;
      takeAhead(context);
      return;
    }
    handled.release();
    if (handled.keepsConnection() && !ending) {
      takeAhead(context);
    } else if (handled.isBrokenOff()) {
      breakOff(context);
    } else if (receiving && !ending) {
      endWhileReceiving(context);
    } else {
      end(context);
    }
  }

  /**
   * Closes in the middle of a response; with TLS, without the message that marks it as complete.
   */
  private void breakOff(ChannelHandlerContext context) {
    ending = true;
    releaseAhead(context);
    context
        .writeAndFlush(Unpooled.EMPTY_BUFFER) // after the previous responses
        .addListener(sent -> closeWithoutTls(context.pipeline()));
  }

  /** A connection that the client has closed has no handlers any more. */
  private static void closeWithoutTls(ChannelPipeline pipeline) {
    ChannelHandlerContext first = pipeline.firstContext();
    if (first != null) {
      first.close();
    }
  }

  /** Ends a request that got its response before its body had arrived. */
  private void endWhileReceiving(ChannelHandlerContext context) {
    ending = true;
    releaseAhead(context);
    unparsed.drop();
    context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> closeLater(context));
  }

  /** Continues with the requests that the client has sent ahead, if it accepts the responses. */
  private void takeAhead(ChannelHandlerContext context) {
    while (exchange == null && !ahead.isEmpty() && context.channel().isWritable()) {
      take(context, ahead.remove());
    }
    if (exchange == null && !ending && ahead.isEmpty() && context.channel().isWritable()) {
      unparsed.proceed();
    }
    if (inputEnded && !ending && exchange == null && ahead.isEmpty()) {
      if (open == null) {
        end(context);
      } else {
        // Some of its points are stored.
        refuse(
            context,
            new Received.Refused(HttpResponseStatus.BAD_REQUEST, null, RequestReceiver.INCOMPLETE));
      }
    }
    intake.want(ending || (ahead.isEmpty() && unparsed.isDrained()));
  }

  /** Closes once the client has accepted the responses. */
  private void end(ChannelHandlerContext context) {
    ending = true;
    releaseAhead(context);
    context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  private void refuse(ChannelHandlerContext context, Received.Refused refused) {
    ending = true;
    HttpResponseStatus why = refused.status();
    shared.connections().failed();
    if (receiving && why.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
      shared.connections().limits().count(ClientLimits.Limited.BODY);
    }
    releaseAhead(context);
    unparsed.drop();
    ApiResponse answer =
        open == null
            ? ApiResponse.error(why.code(), why.reasonPhrase(), refused.details())
            : open.brokenOff(why, refused.details());
    releaseOpen();
    trace(context, refused.request(), answer);
    ApiResponse sent = presented(refused.request(), answer);
    HttpResponseStatus status = HttpResponseStatus.valueOf(sent.status());
    shared.metrics().refused(status.code());
    var response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, status, context.alloc().buffer().writeBytes(bytes(sent)));
    sent.headers().forEach((name, value) -> response.headers().set(name, value));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, sent.contentType())
        .set(RequestId.HEADER, RequestId.next())
        .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    if (status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
      response.headers().set(HttpHeaderNames.RETRY_AFTER, Exchange.RETRY_SECONDS);
    }
    context.writeAndFlush(response).addListener(written -> closeLater(context));
  }

  /** A refusal in the form in which the client expects it. */
  private ApiResponse presented(@Nullable HttpRequest head, ApiResponse refusal) {
    if (head == null) {
      return refusal;
    }
    String type = head.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
    return shared.api().sent(RequestTarget.originForm(head.uri()), type, refusal);
  }

  private static byte[] bytes(ApiResponse response) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      response.writeTo(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Closes once the client has closed, or after a time limit. If the server closed while the client
   * is still sending, the client's system would drop the response.
   */
  private void closeLater(ChannelHandlerContext context) {
    if (inputEnded || !context.channel().isActive()) {
      context.close();
      return;
    }
    if (context.channel() instanceof DuplexChannel connection) {
      connection.shutdownOutput();
    }
    closing =
        context
            .executor()
            .schedule(
                () -> context.close(),
                shared.options().patience().ofResponses().toMillis(),
                TimeUnit.MILLISECONDS);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    required(pace).changed();
    if (exchange == null && !ending) {
      takeAhead(context);
    }
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      inputEnded = true;
      if (closing != null) {
        context.close(); // its request was refused, and it has received the refusal
      } else if (exchange == null && !ending) {
        takeAhead(context);
      }
    } else if (event == Connections.Stop.NOW) {
      if (receiving) {
        stopping = true;
      } else if (exchange != null) {
        ending = true;
        exchange.endConnection();
      } else {
        end(context); // the client may not have accepted all of a response yet
      }
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ending = true;
    if (closing != null) {
      closing.cancel(false);
    }
    if (exchange != null) {
      exchange.clientIsGone();
    }
    releaseAhead(context);
    releaseOpen();
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    OutOfMemoryReport.report(cause);
    shared.connections().failed();
    context.close();
  }

  private void releaseOpen() {
    if (open != null) {
      open.release();
      open = null;
    }
  }

  private void releaseAhead(ChannelHandlerContext context) {
    while (!ahead.isEmpty()) {
      drop(context, ahead.remove());
    }
  }

  private static <T> T required(@Nullable T value) {
    return Objects.requireNonNull(value);
  }
}
