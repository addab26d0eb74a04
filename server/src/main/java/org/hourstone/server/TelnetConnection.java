package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.hourstone.api.Telnet;
import org.hourstone.internal.OutOfMemoryReport;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the telnet-style protocol. Lines are executed in order, one batch at a time, on
 * another thread, in {@linkplain TelnetBatch turns} with other connections. The connection is read
 * until {@value #MAX_WAITING} bytes wait, so that a slow store slows its clients down. All bytes,
 * those of the batch included, are counted in the connection's {@link Intake}.
 *
 * <p>Replies that a client doesn't read are dropped once they fill the connection's buffer, because
 * most clients that send points never read and must be able to continue. A last line without a line
 * end is refused, since it may be incomplete.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure to send ends the connection
final class TelnetConnection extends ChannelInboundHandlerAdapter {
  private static final int MAX_WAITING = 256 * 1024;
  private static final byte NEWLINE = '\n';

  private final RequestThreads threads;
  private final Connections connections;
  private final Intake intake;
  private final int maxLine;
  private final Telnet telnet;

  // Used on the connection's network thread only.

  private @Nullable TelnetBatch batches;
  private ByteBuf waiting = Unpooled.buffer();

  /** The size of the batch in progress. */
  private int executing;

  /** Whether no line of the batch in progress waits for the store. */
  private volatile boolean isMonitoring;

  /** The beginning of the line whose rest is skipped, as it is too long; else null. */
  private byte @Nullable [] skipping;

  private boolean busy;
  private boolean ending;

  /**
   * @param maxLine the maximum number of bytes of a line
   */
  TelnetConnection(
      Telnet telnet, RequestThreads threads, Connections connections, Intake intake, int maxLine) {
    this.telnet = telnet;
    this.threads = threads;
    this.connections = connections;
    this.intake = intake;
    this.maxLine = maxLine;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    // Received lines must be executed even if a reply can't be sent.
    context.channel().config().setAutoClose(false);
    Channel channel = context.channel();
    batches =
        new TelnetBatch(
            telnet,
            connections,
            new TelnetReplies(channel, connections, intake.responses(), telnet.charset()),
            ClientAddress.of(channel),
            maxLine);
    intake.whenRefused(() -> refuse(channel));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      if (!ending) {
        waiting.writeBytes(bytes);
      }
    } finally {
      bytes.release();
    }
    proceed(context.channel());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownEvent || event == Connections.Stop.NOW) {
      ending = true;
      proceed(context.channel());
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    OutOfMemoryReport.report(cause);
    connections.failed();
    if (cause instanceof IOException) {
      ending = true; // the client has disconnected; its lines are still executed
      proceed(context.channel());
    } else {
      context.close();
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    waiting.release();
    waiting = Unpooled.EMPTY_BUFFER;
  }

  /** Starts a batch if none is in progress and a whole line has arrived. */
  private void proceed(Channel channel) {
    if (!busy) {
      int lines = waiting.forEachByteDesc(b -> b != NEWLINE) + 1 - waiting.readerIndex();
      if (lines > 0) {
        start(channel, lines);
      } else if (ending) {
        refuseUnended(channel);
        close(channel);
        return;
      } else if (waiting.readableBytes() > maxLine) {
        skipping = skipping == null ? begun() : skipping; // up to its end, which has not arrived
        clear();
      }
    }
    var unused = intake.keep(executing + (long) waiting.capacity(), !busy);
    intake.want(ending || waiting.readableBytes() < MAX_WAITING);
  }

  private void refuse(Channel channel) {
    batches().reply(telnet.refuseForRoom(begun(), ClientAddress.of(channel)));
    ending = true; // further bytes are dropped
    skipping = null;
    clear();
    intake.drop();
    if (!busy) {
      close(channel);
    }
  }

  /** Refuses what has arrived of a line that will not end. */
  private void refuseUnended(Channel channel) {
    if (skipping != null || waiting.readableBytes() > maxLine) {
      batches().reply(telnet.refuseLongLine(maxLine, begun(), ClientAddress.of(channel)));
    } else if (waiting.isReadable()) {
      byte[] begun = new byte[waiting.readableBytes()];
      waiting.readBytes(begun);
      if (!TelnetBatch.isExit(begun, 0, begun.length)) {
        batches().reply(telnet.refuseUnendedLine(begun, ClientAddress.of(channel)));
      }
    }
    skipping = null;
    clear();
  }

  /** The beginning of what waits, and of the line that is skipped. */
  private byte[] begun() {
    int from = waiting.arrayOffset() + waiting.readerIndex();
    return skipping != null
        ? skipping
        : TelnetBatch.beginning(waiting.array(), from, from + waiting.readableBytes());
  }

  private void clear() {
    waiting.release();
    waiting = Unpooled.buffer();
  }

  /** Hands over the buffer of the lines; the beginning of a further line gets a new one. */
  private void start(Channel channel, int length) {
    ByteBuf batch = waiting;
    int left = batch.readableBytes() - length;
    waiting = Unpooled.buffer(Math.max(256, left));
    waiting.writeBytes(batch, batch.readerIndex() + length, left);
    executing = batch.capacity();
    byte[] longLine = skipping;
    skipping = null;
    busy = true;
    int from = batch.arrayOffset() + batch.readerIndex();
    batches().begin(batch.array(), from, from + length, longLine);
    isMonitoring = batches().isMonitoring();
    run(channel);
  }

  private void run(Channel channel) {
    try {
      threads.telnet(isMonitoring, batches().takesLong(), () -> work(channel));
    } catch (RejectedExecutionException stopped) {
      channel.close();
    }
  }

  /** Executes a part of the batch, on a thread for telnet lines. */
  private void work(Channel channel) {
    TelnetBatch.State state = TelnetBatch.State.FAILED;
    try {
      state = batches().work();
    } finally {
      if (state == TelnetBatch.State.UNFINISHED) {
        run(channel); // when it is its turn again
      } else {
        boolean exit = state == TelnetBatch.State.EXIT;
        channel.eventLoop().execute(() -> done(channel, exit));
      }
    }
  }

  private void done(Channel channel, boolean exit) {
    busy = false;
    executing = 0;
    if (!channel.isOpen()) {
      return; // closed by force
    }
    ending |= exit;
    if (exit) {
      clear();
    }
    proceed(channel);
  }

  private TelnetBatch batches() {
    return Objects.requireNonNull(batches);
  }

  /** Closes once the replies are sent. */
  private static void close(Channel channel) {
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }
}
