package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * At most one request of an HTTP connection is parsed at a time: what is received behind it stays
 * bytes until {@link #proceed}, since a parsed head needs up to thirty times the memory of its
 * bytes. The bytes and the parsed head are counted in the connection's {@link Intake}.
 *
 * <p>Also limits the time in which the rest of a head must arrive. Otherwise a client that sends
 * most of a head and then nothing would hold memory indefinitely. A connection between requests has
 * no time limit.
 *
 * <p>This handler precedes the codec, and {@link #afterCodec} follows it. Bytes received since the
 * codec last emitted a message are incomplete, and so are bytes that the codec had not read by
 * then. If a few bytes arrived with the end of the previous request, they don't start the time
 * limit, since they may be blanks.
 *
 * <p>All fields are used on the connection's network thread only.
 */
final class UnparsedBytes extends ChannelInboundHandlerAdapter {
  /** The reason of a malformed head that exceeds the memory or doesn't arrive in time. */
  static final class RefusedException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final transient HttpResponseStatus status;

    private RefusedException(HttpResponseStatus status) {
      this.status = status;
    }

    HttpResponseStatus status() {
      return status;
    }
  }

  private static final int FEW = 1_000;

  /** The approximate memory of a field of a parsed head, besides its characters. */
  private static final int FIELD_BYTES = 150;

  private final Intake intake;
  private final Duration patience;
  private final HttpCodec codec;
  private @Nullable ArrivalTime arrival;

  /** Whether the next bytes belong to a head, as far as the parsed messages tell. */
  private boolean expectsHead = true;

  /** The number of bytes that are not part of a message emitted by the codec. */
  private int left;

  /** The approximate memory of the parsed head. */
  private long head;

  private boolean refused;

  /** Whether the client has ended its side of the connection behind bytes that are not parsed. */
  private boolean ended;

  private @Nullable ChannelHandlerContext context;

  /** Whether the codec has emitted a message from the bytes being read. */
  private boolean parsed;

  /** Whether the codec is working. */
  private boolean parsing;

  private final AfterCodec afterCodec = new AfterCodec();

  /**
   * @param patience the minimum time a head has to arrive
   * @param codec the connection's codec
   */
  UnparsedBytes(Intake intake, Duration patience, HttpCodec codec) {
    this.intake = intake;
    this.patience = patience;
    this.codec = codec;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    intake.whenRefused(() -> refuse(HttpResponseStatus.SERVICE_UNAVAILABLE));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (refused) {
      ((ByteBuf) message).release();
      return;
    }
    ByteBuf bytes = (ByteBuf) message;
    int length = bytes.readableBytes();
    boolean begins = arrival == null && expectsHead && (!isBlank(bytes) || left + length >= FEW);
    parsed = false;
    left += length;
    parsing = true;
    context.fireChannelRead(message);
    parsing = false;
    if (parsed || begins) {
      limitTime(context.channel(), expectsHead && (!parsed || left >= FEW));
    }
    if (codec.isPaused() && left > 0) {
      intake.want(false);
    }
    if (!keep()) {
      intake.countRefusedHead();
      refuse(HttpResponseStatus.SERVICE_UNAVAILABLE);
    }
  }

  /** Counts the unparsed bytes and the parsed head; returns whether there was room. */
  private boolean keep() {
    return refused || intake.keep(left + head, left > 0 && !codec.isPaused());
  }

  /** Parses nothing more until {@link #proceed}: a request is complete. */
  void pause() {
    codec.setPaused(true);
  }

  /** Parses the next request, if it has been received: the current one has its response. */
  void proceed() {
    ChannelHandlerContext reading = context;
    if (refused || !codec.isPaused() || reading == null) {
      return;
    }
    codec.setPaused(false);
    head = 0;
    if (parsing) {
      return; // the codec goes on by itself
    }
    channelRead(reading, Unpooled.EMPTY_BUFFER);
    if (ended && !codec.isPaused()) {
      ended = false; // all requests are parsed
      reading.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    }
  }

  /** Whether all received bytes are parsed, or can be. */
  boolean isDrained() {
    return left == 0 || !codec.isPaused();
  }

  /** Drops the bytes that are not parsed, and all that are received from now on. */
  void drop() {
    ChannelHandlerContext reading = context;
    if (refused || reading == null) {
      return;
    }
    refused = true;
    limitTime(reading.channel(), false);
    codec.discard();
    if (!parsing) {
      reading.fireChannelRead(Unpooled.EMPTY_BUFFER); // that is when it does
    }
    intake.drop();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownEvent && !isDrained()) {
      ended = true; // the codec would drop the rest
    } else {
      context.fireUserEventTriggered(event);
    }
  }

  /** Blanks before a head are skipped; some clients send them after a body. */
  private static boolean isBlank(ByteBuf bytes) {
    return bytes.forEachByte(b -> b >= 0 && b <= ' ') < 0;
  }

  /**
   * Starts the time limit if a head has begun and its rest must arrive; ends that of the previous
   * head.
   */
  private void limitTime(Channel channel, boolean begun) {
    if (arrival != null) {
      arrival.end();
      arrival = null;
    }
    if (begun && !refused) {
      arrival =
          new ArrivalTime(
              channel, patience, () -> left, () -> refuse(HttpResponseStatus.REQUEST_TIMEOUT));
    }
  }

  private void refuse(HttpResponseStatus status) {
    if (!refused) {
      drop();
      afterCodec.refuse(status);
    }
  }

  ChannelInboundHandlerAdapter afterCodec() {
    return afterCodec;
  }

  private final class AfterCodec extends ChannelInboundHandlerAdapter {
    private @Nullable ChannelHandlerContext context;

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
      context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object part) {
      int before = left;
      parsed = true;
      left = codec.unparsed();
      expectsHead = part instanceof LastHttpContent;
      if (part instanceof HttpRequest request && !refused) {
        head = 2L * (before - left) + (long) FIELD_BYTES * request.headers().size();
        if (!keep()) {
          intake.countRefusedHead();
          UnparsedBytes.this.refuse(HttpResponseStatus.SERVICE_UNAVAILABLE);
          return;
        }
      }
      if (refused) {
        ReferenceCountUtil.release(part);
      } else {
        reading.fireChannelRead(part);
      }
    }

    /** Refuses the head as the codec refuses a malformed head. */
    void refuse(HttpResponseStatus status) {
      Objects.requireNonNull(context)
          .fireChannelRead(HttpCodec.unreadable(new RefusedException(status)));
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    limitTime(context.channel(), false);
    refused = true;
  }
}
