package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.nio.charset.Charset;

/**
 * Sends the replies of a telnet connection. Once some wait because the client doesn't read, further
 * ones are dropped. While more than a few bytes wait, room for all that may wait is taken from the
 * account of {@link ClientMemory}; without room replies are dropped earlier. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure to send ends the connection
final class TelnetReplies {
  /** Bytes that may wait without room in the account, after a first reply of any length. */
  private static final int FEW = 4 * 1024;

  /** The most that waits: a full buffer, and one more reply. */
  private static final int MOST = 96 * 1024;

  private final Channel channel;
  private final Connections connections;
  private final ClientMemory memory;
  private final Charset charset;
  private boolean hasRoom;

  TelnetReplies(Channel channel, Connections connections, ClientMemory memory, Charset charset) {
    this.channel = channel;
    this.connections = connections;
    this.memory = memory;
    this.charset = charset;
  }

  /** Whether a reply would be sent. */
  synchronized boolean areRead() {
    if (!channel.isWritable()) {
      return false;
    }
    if (waiting() > FEW && !hasRoom) {
      hasRoom = memory.take(MOST);
      return hasRoom;
    }
    return true;
  }

  void send(String reply) {
    if (reply.isEmpty()) {
      return;
    }
    if (!areRead()) {
      connections.unreadReply();
      return;
    }
    ByteBuf bytes = channel.alloc().buffer(reply.length());
    bytes.writeCharSequence(reply, charset);
    channel.writeAndFlush(bytes).addListener(sent -> releaseIfNoneWaits());
  }

  private synchronized void releaseIfNoneWaits() {
    if (hasRoom && waiting() == 0) {
      hasRoom = false;
      memory.release(MOST);
    }
  }

  /** The number of bytes of replies that wait; 0 once the connection is closed. */
  private long waiting() {
    ChannelOutboundBuffer replies = channel.unsafe().outboundBuffer();
    return replies == null ? 0 : replies.totalPendingWriteBytes();
  }
}
