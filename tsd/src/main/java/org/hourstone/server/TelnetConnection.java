package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.RejectedExecutionException;
import org.hourstone.api.Telnet;
import org.hourstone.api.TelnetLines;
import org.hourstone.internal.ByteSearch;
import org.hourstone.internal.OutOfMemoryReport;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the telnet-style protocol. Lines are executed in order, one batch at a time, on
 * another thread. The connection is read until {@value #MAX_WAITING} bytes wait, so that a slow
 * store slows its clients down.
 *
 * <p>Replies that a client doesn't read are dropped once they fill the connection's buffer, because
 * most clients that send points never read and must be able to continue. A last line without a line
 * end is also dropped, since it may be incomplete.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure to send ends the connection
final class TelnetConnection extends ChannelInboundHandlerAdapter {
  private static final int MAX_WAITING = 256 * 1024;
  private static final String NO_ROOM =
      "error: too many unfinished lines wait; the connection is closed\n";
  private static final String EXIT = "exit";
  private static final byte NEWLINE = '\n';

  private final Telnet telnet;
  private final RequestThreads threads;
  private final Connections connections;
  private final BodyMemory memory;
  private final int maxLine;

  /** Used by one batch after the other. */
  private @Nullable TelnetLines lines;

  // Used on the connection's network thread only.

  private final ByteBuf waiting = Unpooled.buffer();
  private int unfinished;
  private boolean skipping;
  private boolean busy;
  private boolean ending;

  /**
   * @param memory the memory for the incomplete lines of all connections
   * @param maxLine the maximum number of bytes of a line
   */
  TelnetConnection(
      Telnet telnet,
      RequestThreads threads,
      Connections connections,
      BodyMemory memory,
      int maxLine) {
    this.telnet = telnet;
    this.threads = threads;
    this.connections = connections;
    this.memory = memory;
    this.maxLine = maxLine;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    // Received lines must be executed even if a reply can't be sent.
    context.channel().config().setAutoClose(false);
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
    memory.release(unfinished);
    unfinished = 0;
  }

  /** Starts a batch if none is in progress and a whole line has arrived. */
  private void proceed(Channel channel) {
    if (!busy) {
      int lines = waiting.forEachByteDesc(b -> b != NEWLINE) + 1 - waiting.readerIndex();
      if (lines > 0) {
        start(channel, lines);
      } else if (ending) {
        close(channel);
        return;
      } else if (waiting.readableBytes() > maxLine) {
        skipping = true; // up to its end, which has not arrived yet
        waiting.clear();
      }
      if (!busy && !countUnfinished()) {
        reply(channel, NO_ROOM);
        ending = true; // further bytes are dropped
        waiting.clear();
        close(channel);
        return;
      }
    }
    channel.config().setAutoRead(ending || waiting.readableBytes() < MAX_WAITING);
  }

  /** Counts the bytes of the incomplete line; returns whether there was room for them. */
  private boolean countUnfinished() {
    int length = waiting.readableBytes();
    if (length > unfinished && !memory.take(length - unfinished)) {
      return false;
    }
    memory.release(Math.max(0, unfinished - length));
    unfinished = length;
    return true;
  }

  private void start(Channel channel, int length) {
    byte[] batch = new byte[length];
    waiting.readBytes(batch);
    waiting.discardSomeReadBytes();
    boolean skipFirst = skipping;
    skipping = false;
    busy = true;
    try {
      threads.telnet(() -> run(channel, batch, skipFirst));
    } catch (RejectedExecutionException stopped) {
      channel.close();
    }
  }

  private void run(Channel channel, byte[] batch, boolean skipFirst) {
    boolean exit = false;
    try {
      exit = execute(channel, batch, skipFirst);
    } finally {
      boolean end = exit;
      channel
          .eventLoop()
          .execute(
              () -> {
                busy = false;
                if (!channel.isOpen()) {
                  return; // closed by force
                }
                ending |= end;
                if (end) {
                  waiting.clear();
                }
                proceed(channel);
              });
    }
  }

  /** Whether the client asked to close the connection; the lines after that are not executed. */
  private boolean execute(Channel channel, byte[] batch, boolean skipFirst) {
    TelnetLines lines = this.lines;
    if (lines == null) {
      lines = telnet.lines(reply -> reply(channel, reply));
      this.lines = lines;
    }
    int begin = 0;
    int counted = 0;
    boolean skip = skipFirst;
    try {
      while (begin < batch.length) {
        int end = ByteSearch.indexOf(batch, begin, batch.length, '\n');
        counted++;
        if (batch[begin] != 'p') {
          connections.received(false, counted); // the client may request it
          counted = 0;
        }
        if (skip || end - begin > maxLine) {
          lines.finish(); // replies have the order of the lines
          reply(channel, telnet.refusalOfLongLine(maxLine));
        } else if (isExit(batch, begin, end)) {
          return true;
        } else {
          lines.execute(batch, begin, end);
        }
        skip = false;
        begin = end + 1;
      }
      return false;
    } finally {
      connections.received(false, counted);
      lines.finish();
    }
  }

  private static boolean isExit(byte[] text, int from, int to) {
    return text[from] != 'p'
        && new String(text, from, to - from, StandardCharsets.ISO_8859_1).strip().equals(EXIT);
  }

  private void reply(Channel channel, String reply) {
    if (reply.isEmpty()) {
      return;
    }
    if (channel.isWritable()) {
      channel.writeAndFlush(Unpooled.copiedBuffer(reply, StandardCharsets.ISO_8859_1));
    } else {
      connections.unreadReply();
    }
  }

  /** Closes once the replies are sent. */
  private static void close(Channel channel) {
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }
}
