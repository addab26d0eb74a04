package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what a connection of HTTP has received of a request's head that is not complete: its
 * bytes, in the {@link BodyMemory} of all such bytes, and the time in which the rest arrives. A
 * client that sends most of a head and then nothing holds them. A connection between requests has
 * no time limit.
 *
 * <p>It is before the codec, and {@link #afterCodec} after it. What has come in since the codec
 * made something is not complete, and so is what the codec had not read then. A few bytes don't
 * count, and neither does their time as long as they have come with the end of the request before:
 * they may be blanks.
 *
 * <p>All fields are used on the connection's network thread only.
 */
final class UnparsedBytes extends ChannelInboundHandlerAdapter {
  /** The reason why a head is malformed that has no room, or doesn't arrive in time. */
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

  private final BodyMemory memory;
  private final Duration patience;
  private final HttpCodec codec;
  private @Nullable ArrivalTime arrival;

  /** Whether the next bytes are of a head, as far as is known from what has been parsed. */
  private boolean expectsHead = true;

  /** How many bytes are of nothing that the codec has made. */
  private int left;

  private int taken;
  private boolean refused;

  /** Whether the codec has made anything of the bytes that are being read. */
  private boolean parsed;

  private final AfterCodec afterCodec = new AfterCodec();

  /**
   * @param patience how long a head may take, at the least
   * @param codec the connection's
   */
  UnparsedBytes(BodyMemory memory, Duration patience, HttpCodec codec) {
    this.memory = memory;
    this.patience = patience;
    this.codec = codec;
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
    context.fireChannelRead(message);
    if (parsed || begins) {
      limitTime(context.channel(), expectsHead && (!parsed || left >= FEW));
    }
    if (!keep(left < FEW ? 0 : left)) {
      refuse(HttpResponseStatus.SERVICE_UNAVAILABLE);
    }
  }

  /** Blanks before a head are skipped; some clients send them after a body. */
  private static boolean isBlank(ByteBuf bytes) {
    return bytes.forEachByte(b -> b >= 0 && b <= ' ') < 0;
  }

  /** Whether a head has begun of which the rest must arrive; ends the time of one before. */
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
    refused = true;
    afterCodec.refuse(status);
  }

  /** Whether there was room for this number of bytes. */
  private boolean keep(int bytes) {
    if (bytes > taken && !memory.take(bytes - taken)) {
      return false;
    }
    memory.release(Math.max(0, taken - bytes));
    taken = bytes;
    return true;
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
      parsed = true;
      left = codec.unparsed();
      expectsHead = part instanceof LastHttpContent;
      reading.fireChannelRead(part);
    }

    /** As the codec does with a malformed head. */
    void refuse(HttpResponseStatus status) {
      HttpRequest malformed =
          new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/bad-request");
      malformed.setDecoderResult(DecoderResult.failure(new RefusedException(status)));
      Objects.requireNonNull(context).fireChannelRead(malformed);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    limitTime(context.channel(), false);
    boolean unused = keep(0);
  }
}
