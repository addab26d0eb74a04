package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpVersion;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Parses requests and writes their responses; responses to HEAD have no body. It does the same as
 * Netty's server codec, which can't pause between requests and does not report the number of its
 * unparsed bytes. Used on the connection's network thread only.
 */
final class HttpCodec extends CombinedChannelDuplexHandler<HttpCodec.Decoder, HttpCodec.Encoder> {
  /** The parser's target of such a head. */
  private static final String UNREADABLE_TARGET = "/bad-request";

  private final Decoder decoder;

  HttpCodec(HttpDecoderConfig bounds) {
    Queue<HttpMethod> unanswered = new ArrayDeque<>();
    decoder = new Decoder(bounds, unanswered);
    init(decoder, new Encoder(unanswered));
  }

  /**
   * The number of received bytes that are not part of a parsed request. While a head is being
   * parsed, these are the bytes after its last whole line.
   */
  int unparsed() {
    return decoder.unparsed();
  }

  /** Sets whether received bytes are not parsed until the current request has its response. */
  void setPaused(boolean isPaused) {
    decoder.isPaused = isPaused;
  }

  boolean isPaused() {
    return decoder.isPaused;
  }

  /** From now on, drops bytes that are not parsed. */
  void discard() {
    decoder.discards = true;
  }

  /** In place of a head that can't be read. */
  static HttpRequest unreadable(DecoderException why) {
    HttpRequest head =
        new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, UNREADABLE_TARGET);
    head.setDecoderResult(DecoderResult.failure(why));
    return head;
  }

  /** A head whose decoding has failed, if it is known what it requests; else null. */
  static @Nullable HttpRequest readable(HttpObject failed) {
    return failed instanceof HttpRequest head && !head.uri().equals(UNREADABLE_TARGET)
        ? head
        : null;
  }

  /** Bytes remain that are not blanks, and no more follow. */
  static final class CutOffException extends DecoderException {
    private static final long serialVersionUID = 1L;
  }

  static final class Decoder extends HttpRequestDecoder {
    private final Queue<HttpMethod> unanswered;
    private boolean isPaused;
    private boolean discards;

    private Decoder(HttpDecoderConfig bounds, Queue<HttpMethod> unanswered) {
      super(bounds);
      this.unanswered = unanswered;
    }

    private int unparsed() {
      return actualReadableBytes();
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
        throws Exception {
      if (discards) {
        in.skipBytes(in.readableBytes());
        return;
      }
      if (isPaused) {
        return;
      }
      int before = out.size();
      super.decode(context, in, out);
      for (Object part : out.subList(before, out.size())) {
        if (part instanceof HttpRequest request) {
          unanswered.add(request.method());
        }
      }
    }

    /** The parser itself says only of a head with a whole first line that it is cut off. */
    @Override
    protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out)
        throws Exception {
      int before = out.size();
      super.decodeLast(context, in, out);
      if (out.size() == before && in.forEachByte(b -> b >= 0 && b <= ' ') >= 0) {
        out.add(unreadable(new CutOffException()));
      }
    }
  }

  static final class Encoder extends HttpResponseEncoder {
    private final Queue<HttpMethod> unanswered;

    private Encoder(Queue<HttpMethod> unanswered) {
      this.unanswered = unanswered;
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpResponse response) {
      return isHead() || super.isContentAlwaysEmpty(response);
    }

    private boolean isHead() {
      return HttpMethod.HEAD.equals(unanswered.poll());
    }
  }
}
