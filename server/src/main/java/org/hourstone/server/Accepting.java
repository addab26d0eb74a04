package org.hourstone.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import org.hourstone.internal.OutOfMemoryReport;

/**
 * Accepts no connections for a second after the system has refused one, as it does if the process
 * has no file descriptors left. This is logged when it begins and when it ends. Used on the
 * listener's network thread only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of the schedule
final class Accepting extends ChannelInboundHandlerAdapter {
  private static final System.Logger LOG = System.getLogger("org.hourstone.server");

  private final ClientLimits limits;
  private boolean isRefused;

  Accepting(ClientLimits limits) {
    this.limits = limits;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object connection) {
    if (isRefused) {
      isRefused = false;
      LOG.log(Level.INFO, "connections are accepted again");
    }
    context.fireChannelRead(connection);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    OutOfMemoryReport.report(cause);
    limits.count(ClientLimits.Limited.ACCEPTING);
    if (!isRefused) {
      isRefused = true;
      LOG.log(
          Level.WARNING,
          "connections can't be accepted: "
              + cause.getMessage()
              + "; this is repeated each second");
    }
    context.channel().config().setAutoRead(false);
    context
        .executor()
        .schedule(() -> context.channel().config().setAutoRead(true), 1, TimeUnit.SECONDS);
  }
}
