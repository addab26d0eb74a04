package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * Parses requests and writes their responses, those to HEAD without a body: as Netty's codec of a
 * server does, which doesn't say how many bytes wait in it. Used on the connection's network thread
 * only.
 */
final class HttpCodec extends CombinedChannelDuplexHandler<HttpCodec.Decoder, HttpCodec.Encoder> {
  private final Decoder decoder;

  HttpCodec(HttpDecoderConfig bounds) {
    Queue<HttpMethod> unanswered = new ArrayDeque<>();
    decoder = new Decoder(bounds, unanswered);
    init(decoder, new Encoder(unanswered));
  }

  /**
   * How many bytes have been received and are not part of a parsed request. While a head is parsed
   * these are the bytes after its last whole line.
   */
  int unparsed() {
    return decoder.unparsed();
  }

  static final class Decoder extends HttpRequestDecoder {
    private final Queue<HttpMethod> unanswered;

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
      int before = out.size();
      super.decode(context, in, out);
      for (Object part : out.subList(before, out.size())) {
        if (part instanceof HttpRequest request) {
          unanswered.add(request.method());
        }
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
