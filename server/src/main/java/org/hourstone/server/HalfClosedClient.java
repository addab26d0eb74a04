package org.hourstone.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether a client that has ended its side of the connection still waits for its response.
 * TCP signals this in the same way as a disconnection until something is sent, which a disconnected
 * client refuses. So interim responses, which every HTTP/1.1 client skips, are sent until the
 * response begins.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure to send ends the connection
final class HalfClosedClient extends ChannelDuplexHandler {
  private static final String INTERIM = "HTTP/1.1 102 Processing\r\n\r\n";

  private boolean skipsInterim;
  private int unanswered;
  private boolean responding;
  private @Nullable ScheduledFuture<?> probes;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest request) {
      skipsInterim = request.protocolVersion().equals(HttpVersion.HTTP_1_1);
    }
    if (message instanceof LastHttpContent) {
      unanswered++;
    }
    context.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof HttpResponse) {
      responding = true;
    }
    if (message instanceof LastHttpContent) {
      responding = false;
      unanswered--;
    }
    context.write(message, promise);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownEvent && probes == null) {
      probes =
          context.executor().scheduleWithFixedDelay(() -> probe(context), 1, 1, TimeUnit.SECONDS);
    }
    context.fireUserEventTriggered(event);
  }

  private void probe(ChannelHandlerContext context) {
    if (skipsInterim && !responding && unanswered > 0) {
      // As bytes, since the codec would interpret it as the response to the request.
      context
          .pipeline()
          .context(HttpCodec.class)
          .writeAndFlush(Unpooled.copiedBuffer(INTERIM, StandardCharsets.US_ASCII));
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (probes != null) {
      probes.cancel(false);
    }
    context.fireChannelInactive();
  }
}
