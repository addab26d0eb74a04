package org.hourstone.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.api.request.ServerInfo.Statistic;

/**
 * The open connections, and counters. Connections beyond the maximum, or for which there is no
 * memory, are refused with a reason, up to a hundred of them at a time; further ones are closed.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure to send ends the connection
@ChannelHandler.Sharable
final class Connections extends ChannelInboundHandlerAdapter {
  /** The maximum number of connections that are being refused. */
  static final int MOST_REFUSED_AT_ONCE = 100;

  /** The approximate memory of the objects of a connection without its data. */
  private static final int OBJECTS = 3 * 1024;

  /** TLS has its keys, and a record that has arrived in part. */
  private static final int TLS_OBJECTS = 48 * 1024;

  private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final ChannelGroup beingRefused = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final int max;
  private final int maxRefused;
  private final ClientLimits limits;
  private final int size;
  private final LongAdder accepted = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder httpRequests = new LongAdder();
  private final LongAdder telnetLines = new LongAdder();
  private final LongAdder unreadReplies = new LongAdder();
  private volatile boolean stopping;

  /**
   * @param max the maximum number of open connections
   * @param maxRefused the maximum number of connections that are being refused
   * @param isTls whether they use TLS
   */
  Connections(int max, int maxRefused, ClientLimits limits, boolean isTls) {
    this.max = max;
    this.maxRefused = maxRefused;
    this.limits = limits;
    this.size = OBJECTS + Intake.OWN + (isTls ? TLS_OBJECTS : 0);
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    accepted.increment();
    if (open.size() >= max || stopping || !limits.connections().take(size)) {
      refused.increment();
      if (!stopping) {
        limits.count(ClientLimits.Limited.CONNECTION);
      }
      if (stopping || beingRefused.size() >= maxRefused) {
        context.close();
        return;
      }
      beingRefused.add(context.channel());
      FirstByte first = context.pipeline().get(FirstByte.class);
      context.pipeline().replace(first, null, first.tooMany());
    } else {
      open.add(context.channel());
      context.channel().closeFuture().addListener(end -> limits.connections().release(size));
    }
    context.fireChannelActive();
    if (stopping) { // since the check above, so stop() may have missed it
      context.fireUserEventTriggered(Stop.NOW);
    }
  }

  /**
   * Ends each connection as soon as it has no request in progress; no more connections are
   * accepted.
   */
  void stop() {
    stopping = true;
    beingRefused.close();
    for (Channel channel : open) {
      channel.pipeline().fireUserEventTriggered(Stop.NOW);
    }
  }

  /** The event that tells a connection to end once it has no request in progress. */
  enum Stop {
    NOW
  }

  /** Waits until all connections are closed; closes the remaining ones after the time limit. */
  void awaitClosed(long millis) throws InterruptedException {
    if (!open.newCloseFuture().await(millis)) {
      open.close().await();
    }
  }

  ClientLimits limits() {
    return limits;
  }

  void received(boolean http, int number) {
    (http ? httpRequests : telnetLines).add(number);
  }

  void failed() {
    failed.increment();
  }

  void unreadReply() {
    unreadReplies.increment();
  }

  List<Statistic> statistics() {
    String connections = "connectionmgr.connections";
    return List.of(
        new Statistic(connections, open.size(), Map.of("type", "open")),
        new Statistic(connections, max, Map.of("type", "limit")),
        new Statistic(connections, refused.sum(), Map.of("type", "rejected")),
        new Statistic(connections, accepted.sum(), Map.of("type", "total")),
        new Statistic("connectionmgr.exceptions", failed.sum(), Map.of("type", "unknown")),
        new Statistic("rpc.received", telnetLines.sum(), Map.of("type", "telnet")),
        new Statistic("rpc.received", httpRequests.sum(), Map.of("type", "http")),
        new Statistic("rpc.errors", unreadReplies.sum(), Map.of("type", "socket_writes_blocked")));
  }
}
