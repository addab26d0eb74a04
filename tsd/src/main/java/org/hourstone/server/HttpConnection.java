package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.hourstone.api.Api;
import org.jspecify.annotations.Nullable;

/**
 * A connection of HTTP/1. Its requests are handled one after the other, in their order. While one
 * is handled the connection is read on, so that a client's disconnection is noticed; what a client
 * sends ahead is kept, and reading stops then. A client that doesn't accept its responses is not
 * read either: they would fill the memory.
 *
 * <p>All fields are used on the connection's network thread only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure to send ends the connection
final class HttpConnection extends SimpleChannelInboundHandler<HttpObject> {
  private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

  private final Api api;
  private final Pages pages;
  private final RequestThreads threads;
  private final Connections connections;
  private final BodyMemory memory;
  private final ServerOptions options;
  private final Queue<HttpObject> ahead = new ArrayDeque<>();
  private @Nullable HttpRequest request;
  private @Nullable ByteBuf body;
  private @Nullable Exchange exchange;
  private @Nullable ClientPace pace;
  private long taken;
  private boolean ending;
  private @Nullable ScheduledFuture<?> closing;

  HttpConnection(
      Api api,
      Pages pages,
      RequestThreads threads,
      Connections connections,
      BodyMemory memory,
      ServerOptions options) {
    this.api = api;
    this.pages = pages;
    this.threads = threads;
    this.connections = connections;
    this.memory = memory;
    this.options = options;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    pace = new ClientPace(context.channel(), options.clientPatience());
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
    if (ending) {
      return; // what is received is dropped until the connection is closed
    }
    if (exchange == null && ahead.isEmpty() && context.channel().isWritable()) {
      take(context, part);
    } else {
      ahead.add(ReferenceCountUtil.retain(part));
      context.channel().config().setAutoRead(false);
    }
  }

  private void take(ChannelHandlerContext context, HttpObject part) {
    if (part.decoderResult().isFailure()) {
      refuse(context, HttpResponseStatus.BAD_REQUEST);
      return;
    }
    if (part instanceof HttpRequest head) {
      begin(context, head);
    }
    if (part instanceof HttpContent content && request != null) {
      add(context, content.content());
    }
    if (part instanceof LastHttpContent && request != null) {
      handle(context, request);
    }
  }

  private void begin(ChannelHandlerContext context, HttpRequest head) {
    connections.received(true, 1);
    request = head;
    if (HttpUtil.getContentLength(head, 0L) > options.maxBody()) {
      refuse(context, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
    } else if (HttpUtil.is100ContinueExpected(head)) {
      // As bytes: the codec would take it for the request's response, and the response for that to
      // the request after it.
      context
          .pipeline()
          .context(HttpServerCodec.class)
          .writeAndFlush(Unpooled.copiedBuffer(CONTINUE, StandardCharsets.US_ASCII));
    }
  }

  private void add(ChannelHandlerContext context, ByteBuf content) {
    int length = content.readableBytes();
    if (length == 0) {
      return;
    }
    if (taken + length > options.maxBody()) {
      refuse(context, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
    } else if (!memory.take(length)) {
      refuse(context, HttpResponseStatus.SERVICE_UNAVAILABLE);
    } else {
      taken += length;
      body = body == null ? context.alloc().buffer(length) : body;
      body.writeBytes(content);
    }
  }

  private void handle(ChannelHandlerContext context, HttpRequest head) {
    String text = body == null ? "" : body.toString(StandardCharsets.UTF_8);
    releaseBody();
    Exchange begun =
        new Exchange(
            api, pages, head, text, context.channel(), required(pace), () -> done(context));
    exchange = begun;
    request = null;
    try {
      threads.http(begun);
    } catch (RejectedExecutionException tooMany) {
      begun.refuse();
    }
  }

  private void done(ChannelHandlerContext context) {
    boolean more = exchange != null && exchange.keepsConnection() && !ending;
    exchange = null;
    releaseTaken();
    if (!more) {
      ending = true;
      releaseAll();
      closeOnceSent(context);
      return;
    }
    takeAhead(context);
  }

  /** Continues with what a client has sent ahead, if it accepts the responses. */
  private void takeAhead(ChannelHandlerContext context) {
    while (exchange == null && !ahead.isEmpty() && context.channel().isWritable()) {
      HttpObject next = ahead.remove();
      try {
        take(context, next);
      } finally {
        ReferenceCountUtil.release(next);
      }
    }
    context.channel().config().setAutoRead(ahead.isEmpty());
  }

  /**
   * Refuses the request that is being received; what follows can't be distinguished from its body.
   */
  private void refuse(ChannelHandlerContext context, HttpResponseStatus status) {
    ending = true;
    releaseAll();
    String error =
        "{\"error\":{\"code\":%d,\"message\":\"%s\"}}"
            .formatted(status.code(), status.reasonPhrase());
    var response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            status,
            context.alloc().buffer().writeBytes(error.getBytes(StandardCharsets.UTF_8)));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, "application/json; charset=UTF-8")
        .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    if (status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
      response.headers().set(HttpHeaderNames.RETRY_AFTER, Exchange.RETRY_SECONDS);
    }
    context.writeAndFlush(response).addListener(sent -> closeLater(context));
  }

  /**
   * Closes once the client does, or after a while. If it was closed while the client still sends,
   * the client's system would drop the response.
   */
  private void closeLater(ChannelHandlerContext context) {
    ((DuplexChannel) context.channel()).shutdownOutput();
    closing =
        context
            .executor()
            .schedule(
                () -> context.close(), options.clientPatience().toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void closeOnceSent(ChannelHandlerContext context) {
    context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
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
      context.close(); // the client has gone
    } else if (event == Connections.Stop.NOW) {
      ending = true;
      if (exchange == null) {
        releaseAll();
        closeOnceSent(context); // the client may not have accepted all of a response yet
      } else {
        exchange.endConnection();
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
    } else {
      releaseTaken();
    }
    releaseAll();
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    connections.failed();
    if (cause instanceof DecoderException && exchange == null && !ending) {
      refuse(context, HttpResponseStatus.BAD_REQUEST); // compressed wrongly
    } else if (closing == null || !(cause instanceof DecoderException)) {
      context.close();
    }
  }

  private void releaseAll() {
    request = null;
    releaseBody();
    if (exchange == null) {
      releaseTaken();
    }
    while (!ahead.isEmpty()) {
      ReferenceCountUtil.release(ahead.remove());
    }
  }

  private void releaseBody() {
    if (body != null) {
      body.release();
      body = null;
    }
  }

  /** The room of the body, whose text is kept until its request is handled. */
  private void releaseTaken() {
    memory.release(taken);
    taken = 0;
  }

  private static <T> T required(@Nullable T value) {
    return Objects.requireNonNull(value);
  }
}
