package org.hourstone.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.function.Function;
import java.util.function.Predicate;
import org.hourstone.api.ApiUpload;
import org.hourstone.internal.OutOfMemoryReport;
import org.hourstone.server.ReceivedBody.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * Assembles requests, within limits of size and time; large bodies of some requests are passed on
 * in parts. An error is passed on as a {@link Received.Refused} in its order, so that earlier
 * requests get their responses, and ends the reception.
 *
 * <p>All fields are used on the connection's network thread only.
 */
final class RequestReceiver extends SimpleChannelInboundHandler<HttpObject> {
  static final String INCOMPLETE = "the body is incomplete";
  private static final String NO_HEAD =
      "the connection has ended before the head of this request was read";

  private final Function<HttpRequest, ClientMemory> memory;
  private final Predicate<HttpRequest> takesParts;
  private final ServerOptions options;
  private @Nullable HttpRequest request;
  private @Nullable ReceivedBody body;
  private @Nullable ArrivalTime arrival;
  private boolean ended;

  /** The number of received bytes of the body. */
  private long received;

  /**
   * The number of bytes above which the received part of a body is passed on while the rest is
   * received.
   */
  private long partBytes;

  /**
   * @param memory returns the memory for the body of a request, by its head
   * @param takesParts whether the body of a request, if it is large, is handled while it arrives
   */
  RequestReceiver(
      Function<HttpRequest, ClientMemory> memory,
      Predicate<HttpRequest> takesParts,
      ServerOptions options) {
    this.memory = memory;
    this.takesParts = takesParts;
    this.options = options;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
    if (ended) {
      return; // what is received is dropped until the connection is closed
    }
    if (part.decoderResult().isFailure()) {
      refuse(context, part, part.decoderResult().cause());
      return;
    }
    if (part instanceof HttpRequest head) {
      begin(context, head);
    }
    if (part instanceof HttpContent content && request != null && body != null) {
      add(context, content, request, body);
    }
  }

  private void begin(ChannelHandlerContext context, HttpRequest head) {
    request = head;
    HttpResponseStatus unreadable = unreadable(head);
    if (unreadable != null) {
      refuse(context, unreadable);
      return;
    }
    long announced = HttpUtil.getContentLength(head, 0L);
    if (announced > options.bodies().max()) {
      refuse(context, RefusedException.tooLarge(options.bodies().max()));
      return;
    }
    body = new ReceivedBody(memory.apply(head), options.bodies().max());
    received = 0;
    partBytes = ApiUpload.WHOLE_BYTES;
    if (announced > 0 || HttpUtil.isTransferEncodingChunked(head)) {
      arrival =
          new ArrivalTime(
              context.channel(),
              options.patience().ofResponses(),
              () -> received,
              () -> refuse(context, HttpResponseStatus.REQUEST_TIMEOUT));
    }
    context.fireChannelRead(new Received.Head(head));
  }

  /**
   * The status of the refusal of a request of another protocol version, or whose body is encoded
   * for the transfer other than in chunks; null if it can be read. If chunked were not the last
   * such encoding, a proxy in front of this server and the server could disagree on which bytes
   * belong to the body and which to the next request.
   */
  private static @Nullable HttpResponseStatus unreadable(HttpRequest head) {
    HttpVersion version = head.protocolVersion();
    if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
      return HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED;
    }
    if (!head.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)) {
      return null;
    }
    String encodings = String.join(",", head.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING));
    int comma = encodings.lastIndexOf(',');
    if (!HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(encodings.substring(comma + 1).strip())) {
      return HttpResponseStatus.BAD_REQUEST;
    }
    return comma < 0 ? null : HttpResponseStatus.NOT_IMPLEMENTED;
  }

  private void add(
      ChannelHandlerContext context, HttpContent content, HttpRequest head, ReceivedBody to) {
    received += content.content().readableBytes();
    RefusedException refusal = to.add(content.content());
    if (refusal != null) {
      refuse(context, refusal);
    } else if (content instanceof LastHttpContent) {
      body = null; // now owned by the receiver
      drop();
      context.fireChannelRead(new Received.Whole(head, to));
    } else if (to.length() > partBytes) {
      passOn(context, head, to);
    }
  }

  private void passOn(ChannelHandlerContext context, HttpRequest head, ReceivedBody part) {
    if (takesParts.test(head)) {
      body = part.next();
      context.fireChannelRead(new Received.Part(head, part));
    } else {
      partBytes = Long.MAX_VALUE;
    }
  }

  /** Refuses what can't be parsed: a head, or a part of a body. */
  private void refuse(ChannelHandlerContext context, HttpObject part, Throwable why) {
    boolean isHead = request == null;
    if (isHead) {
      request = HttpCodec.readable(part);
    }
    if (why instanceof UnparsedBytes.RefusedException refused) {
      refuse(context, refused.status());
    } else if (why instanceof HttpCodec.CutOffException
        || why instanceof PrematureChannelClosureException) {
      refuse(context, HttpResponseStatus.BAD_REQUEST, isHead ? NO_HEAD : INCOMPLETE);
    } else {
      refuse(context, HttpResponseStatus.BAD_REQUEST);
    }
  }

  private void refuse(ChannelHandlerContext context, HttpResponseStatus status) {
    refuse(context, status, "");
  }

  private void refuse(ChannelHandlerContext context, RefusedException refusal) {
    refuse(context, refusal.status(), refusal.details());
  }

  private void refuse(ChannelHandlerContext context, HttpResponseStatus status, String details) {
    ended = true;
    HttpRequest refused = request;
    drop();
    context.fireChannelRead(new Received.Refused(status, refused, details));
  }

  /** Nothing more will arrive, so half a request is refused. */
  private void end(ChannelHandlerContext context) {
    if (request != null && !ended) {
      refuse(context, HttpResponseStatus.BAD_REQUEST, INCOMPLETE);
    }
    ended = true;
    drop();
  }

  /** Drops the request being received. */
  private void drop() {
    request = null;
    if (body != null) {
      body.release();
      body = null;
    }
    if (arrival != null) {
      arrival.end();
      arrival = null;
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      end(context);
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    end(context);
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    OutOfMemoryReport.report(cause);
    if (!(cause instanceof DecoderException)) {
      context.fireExceptionCaught(cause);
    } else if (!ended) {
      refuse(context, HttpResponseStatus.BAD_REQUEST);
    }
  }
}
