package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.hourstone.internal.OutOfMemoryReport;
import org.jspecify.annotations.Nullable;

/**
 * Responds to a connection's first bytes, in their protocol, with the reason why the connection is
 * refused. Then it drops further bytes until the client closes, within a time limit: if the server
 * closed first, the client's system would drop the reason.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure to send ends the connection
final class RefusedConnection extends ChannelInboundHandlerAdapter {
  private static final int SECONDS = 5;

  private final String reason;
  private final RefusedInput input;
  private boolean isHttp;
  private @Nullable Future<?> end;
  private boolean answered;

  /**
   * @param reason the reason, without characters that JSON escapes
   * @param input counts what the client sends
   */
  RefusedConnection(String reason, RefusedInput input) {
    this.reason = reason;
    this.input = input;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    end = context.executor().schedule(() -> context.close(), SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Called when the connection is closed. Cancels its scheduled end, which would otherwise retain
   * the connection's memory.
   */
  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    if (end != null) {
      end.cancel(false);
    }
    input.end(isHttp);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (!answered) {
      isHttp = bytes.isReadable() && FirstByte.isHttp(bytes);
    }
    input.add(bytes, isHttp);
    bytes.release();
    if (!answered) {
      answered = true;
      context
          .writeAndFlush(
              Unpooled.copiedBuffer(isHttp ? response() : reason + "\n", StandardCharsets.US_ASCII))
          .addListener(
              sent -> {
                if (context.channel() instanceof DuplexChannel connection) {
                  connection.shutdownOutput();
                }
              });
    }
  }

  private String response() {
    String body = "{\"error\":{\"code\":503,\"message\":\"" + reason + "\"}}";
    return String.join(
        "\r\n",
        "HTTP/1.1 503 Service Unavailable",
        "Content-Type: application/json; charset=UTF-8",
        "Content-Length: " + body.length(),
        "Retry-After: " + Exchange.RETRY_SECONDS,
        "Connection: close",
        "",
        body);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
    if (event instanceof ChannelInputShutdownEvent || event == Connections.Stop.NOW) {
      context.close();
    } else {
      super.userEventTriggered(context, event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    OutOfMemoryReport.report(cause);
    context.close();
  }
}
