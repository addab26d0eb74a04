package org.hourstone.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
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
final class HttpConnection extends SimpleChannelInboundHandler<Received> {
  private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

  private final Shared shared;
  private final Queue<Received> ahead = new ArrayDeque<>();
  private @Nullable Exchange exchange;
  private @Nullable ReceivedBody body;
  private @Nullable ClientPace pace;
  private boolean inputEnded;
  private boolean ending;

  /** Whether the body of a request is being received. */
  private boolean receiving;

  /** Whether the request being received is the last one. */
  private boolean stopping;

  private @Nullable ScheduledFuture<?> closing;

  HttpConnection(Shared shared) {
    this.shared = shared;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    pace = new ClientPace(context.channel(), shared.options().clientPatience(), System::nanoTime);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, Received next) {
    if (ending) {
      next.release(); // what is received is dropped until the connection is closed
    } else if (exchange == null && ahead.isEmpty() && context.channel().isWritable()) {
      take(context, next);
    } else {
      ahead.add(next);
      context.channel().config().setAutoRead(false);
    }
  }

  private void take(ChannelHandlerContext context, Received next) {
    if (next instanceof Received.Head head) {
      begin(context, head.request());
    } else if (next instanceof Received.Whole whole) {
      handle(context, whole);
    } else if (next instanceof Received.Refused refused) {
      refuse(context, refused.status());
    }
  }

  private void begin(ChannelHandlerContext context, HttpRequest head) {
    receiving = true;
    shared.connections().received(true, 1);
    if (HttpUtil.is100ContinueExpected(head) && ahead.isEmpty()) {
      // As bytes: the codec would take it for the request's response, and the response for that to
      // the request after it.
      context
          .pipeline()
          .context(HttpServerCodec.class)
          .writeAndFlush(Unpooled.copiedBuffer(CONTINUE, StandardCharsets.US_ASCII));
    }
  }

  private void handle(ChannelHandlerContext context, Received.Whole whole) {
    receiving = false;
    Exchange begun =
        new Exchange(
            shared,
            whole.request(),
            whole.body(),
            context.channel(),
            required(pace),
            () -> done(context));
    exchange = begun;
    body = whole.body();
    if (stopping) {
      ending = true;
      begun.endConnection();
    }
    if (begun.isOfOpenPage()) {
      begun.run(); // whoever watches the server need not wait for a thread, nor does this
      return;
    }
    try {
      shared.threads().http(begun.mayTakeLong(), begun);
    } catch (RejectedExecutionException | OutOfMemoryError tooMany) { // requests or threads
      begun.refuse();
    }
  }

  private void done(ChannelHandlerContext context) {
    boolean more = exchange != null && exchange.keepsConnection() && !ending;
    boolean brokenOff = exchange != null && exchange.isBrokenOff();
    exchange = null;
    if (body != null) {
      body.release();
      body = null;
    }
    if (more) {
      takeAhead(context);
    } else if (brokenOff) {
      breakOff(context);
    } else {
      end(context);
    }
  }

  /** Closes in the middle of a response, in TLS without the message that says it is complete. */
  private void breakOff(ChannelHandlerContext context) {
    ending = true;
    releaseAhead();
    context
        .writeAndFlush(Unpooled.EMPTY_BUFFER) // after the responses before it
        .addListener(sent -> context.pipeline().firstContext().close());
  }

  /** Continues with what a client has sent ahead, if it accepts the responses. */
  private void takeAhead(ChannelHandlerContext context) {
    while (exchange == null && !ahead.isEmpty() && context.channel().isWritable()) {
      take(context, ahead.remove());
    }
    if (inputEnded && exchange == null && ahead.isEmpty()) {
      end(context);
    }
    context.channel().config().setAutoRead(ahead.isEmpty());
  }

  /** Closes once the client has accepted the responses. */
  private void end(ChannelHandlerContext context) {
    ending = true;
    releaseAhead();
    context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  private void refuse(ChannelHandlerContext context, HttpResponseStatus status) {
    ending = true;
    shared.connections().failed();
    releaseAhead();
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
        .set(RequestId.HEADER, RequestId.next())
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
    if (inputEnded) {
      context.close();
      return;
    }
    ((DuplexChannel) context.channel()).shutdownOutput();
    closing =
        context
            .executor()
            .schedule(
                () -> context.close(),
                shared.options().clientPatience().toMillis(),
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
        context.close(); // its request was refused, and it has seen that
      } else if (exchange == null && !ending) {
        takeAhead(context);
      }
    } else if (event == Connections.Stop.NOW) {
      if (exchange != null) {
        ending = true;
        exchange.endConnection();
      } else if (receiving) {
        stopping = true;
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
    releaseAhead();
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    shared.connections().failed();
    context.close();
  }

  private void releaseAhead() {
    while (!ahead.isEmpty()) {
      ahead.remove().release();
    }
  }

  private static <T> T required(@Nullable T value) {
    return Objects.requireNonNull(value);
  }
}
