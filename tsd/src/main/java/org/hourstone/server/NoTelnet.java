package org.hourstone.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;

/** Refuses connections of the telnet-style protocol, which knows no accounts. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure to send ends the connection
final class NoTelnet extends ChannelInboundHandlerAdapter {
  private static final String REFUSAL =
      "authentication is required: use HTTP, or set hourstone.auth.allow_telnet\n";

  private boolean refused;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ReferenceCountUtil.release(message);
    if (!refused) {
      refused = true;
      context
          .writeAndFlush(Unpooled.copiedBuffer(REFUSAL, StandardCharsets.US_ASCII))
          .addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }
}
