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
 * Limits the incomplete head of a request on an HTTP connection: its bytes, counted in the {@link
 * BodyMemory} of all such bytes, and the time in which the rest must arrive. Otherwise a client
 * that sends most of a head and then nothing would hold memory indefinitely. A connection between
 * requests has no time limit.
 *
 * <p>This handler precedes the codec, and {@link #afterCodec} follows it. Bytes received since the
 * codec last emitted a message are incomplete, and so are bytes that the codec had not read by
 * then. A few bytes are not counted. If they arrived with the end of the previous request, they
 * don't start the time limit either, since they may be blanks.
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

  private final BodyMemory memory;
  private final Duration patience;
  private final HttpCodec codec;
  private @Nullable ArrivalTime arrival;

  /** Whether the next bytes belong to a head, as far as the parsed messages tell. */
  private boolean expectsHead = true;

  /** The number of bytes that are not part of a message emitted by the codec. */
  private int left;

  private int taken;
  private boolean refused;

  /** Whether the codec has emitted a message from the bytes being read. */
  private boolean parsed;

  private final AfterCodec afterCodec = new AfterCodec();

  /**
   * @param patience the minimum time a head has to arrive
   * @param codec the connection's codec
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
    refused = true;
    afterCodec.refuse(status);
  }

  /** Counts this number of bytes; returns whether there was room. */
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

    /** Refuses the head as the codec refuses a malformed head. */
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
