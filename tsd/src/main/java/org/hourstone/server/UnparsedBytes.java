package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a connection of HTTP has received of a request's head that is not complete, in the
 * {@link BodyMemory} of all such bytes: a client that sends most of a head and then nothing holds
 * them. It is before the codec, and {@link #afterCodec} after it. What is left in the codec is what
 * came in, less what came out, of which the blanks are not known: so it is an upper bound, and a
 * few bytes don't count.
 *
 * <p>All fields are used on the connection's network thread only.
 */
final class UnparsedBytes extends ChannelInboundHandlerAdapter {
  /** The reason why a head is malformed that has no room. */
  static final class NoRoomException extends DecoderException {
    private static final long serialVersionUID = 1L;
  }

  private static final int FEW = 1_000;

  /** Method, version and blanks. */
  private static final int REQUEST_LINE = 14;

  /** Colon and end of line. */
  private static final int FIELD = 3;

  private final BodyMemory memory;

  /** What is in the codec, at most. */
  private int left;

  private int taken;
  private boolean refused;

  /** Whether the codec has made anything of the bytes that are being read, and how many bytes. */
  private boolean parsed;

  private int parsedBytes;

  private final AfterCodec afterCodec = new AfterCodec();

  UnparsedBytes(BodyMemory memory) {
    this.memory = memory;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (refused) {
      ((ByteBuf) message).release();
      return;
    }
    int length = ((ByteBuf) message).readableBytes();
    parsed = false;
    parsedBytes = 0;
    context.fireChannelRead(message);
    left += length - parsedBytes;
    if (parsed) {
      left = Math.min(left, length); // all that came before has been parsed
    }
    refused = !keep(left < FEW ? 0 : left);
    if (refused) {
      afterCodec.refuse();
    }
  }

  /** Whether there was room for so many bytes. */
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
      if (part instanceof HttpRequest head) {
        parsedBytes += size(head);
      }
      if (part instanceof HttpContent body) {
        parsedBytes += body.content().readableBytes();
      }
      reading.fireChannelRead(part);
    }

    /** As the codec does with a malformed head. */
    void refuse() {
      HttpRequest malformed =
          new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/bad-request");
      malformed.setDecoderResult(DecoderResult.failure(new NoRoomException()));
      Objects.requireNonNull(context).fireChannelRead(malformed);
    }
  }

  private static int size(HttpRequest head) {
    int bytes = REQUEST_LINE + head.uri().length();
    for (Map.Entry<String, String> field : head.headers()) {
      bytes += FIELD + field.getKey().length() + field.getValue().length();
    }
    return bytes;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    boolean unused = keep(0);
  }
}
