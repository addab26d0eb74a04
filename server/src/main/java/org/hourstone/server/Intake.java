package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.RecvByteBufAllocator;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The received bytes of a connection that were not handled yet, and what was made from them: no
 * more is received than there is room for in the account of {@link ClientMemory}. Room is taken
 * before bytes are received. Without room a connection that has little still receives little, so
 * that clients with short lines and requests are served while others use up the share; others are
 * not read until it is their turn.
 *
 * <p>All fields are used on the connection's network thread only.
 */
@SuppressWarnings("deprecation") // Handle: Netty's own allocators have no other
final class Intake extends ChannelInboundHandlerAdapter
    implements RecvByteBufAllocator, ClientMemory.Client {
  /** Bytes that are counted in the fixed size of each connection. */
  static final int OWN = 3 * 1024;

  private static final int LEAST_READ = 256;
  private static final RecvByteBufAllocator PLAIN = new AdaptiveRecvByteBufAllocator();

  /**
   * A record of TLS with one byte takes as much work as a large one, so other connections get their
   * turns after fewer bytes.
   */
  private static final RecvByteBufAllocator ENCRYPTED =
      new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(1);

  private final RecvByteBufAllocator sizes;

  private final ClientLimits limits;
  private final ClientMemory memory;
  private @Nullable Channel channel;
  private Runnable whenRefused = () -> {};

  /** The number of bytes that the handlers of the connection have. */
  private long kept;

  /** The number of bytes that are taken for them. */
  private long taken;

  /** The number of bytes that are taken for those that are received next. */
  private long ahead;

  private boolean stuck;
  private boolean isShort;
  private boolean waits;
  private boolean wanted = true;
  private boolean closed;

  /**
   * @param encrypted whether the bytes are those of TLS
   */
  Intake(ClientLimits limits, boolean encrypted) {
    this.limits = limits;
    this.sizes = encrypted ? ENCRYPTED : PLAIN;
    this.memory = limits.unhandled();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    channel = context.channel();
    channel.config().setRecvByteBufAllocator(this);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    drop();
  }

  /** Called when the handlers have dropped all bytes, and will drop all that are received. */
  void drop() {
    if (closed) {
      return;
    }
    closed = true;
    kept = 0;
    waits = false;
    long all = taken + ahead;
    taken = 0;
    ahead = 0;
    memory.release(all);
    memory.leave(this);
    want(true);
  }

  /** Sets the action if the connection must give up what it has. */
  void whenRefused(Runnable action) {
    whenRefused = action;
  }

  /** Sets whether the handlers can use more bytes. */
  void want(boolean more) {
    wanted = more;
    read();
  }

  private void read() {
    Objects.requireNonNull(channel).config().setAutoRead(wanted && !waits);
  }

  /**
   * Counts the bytes that the handlers have now.
   *
   * @param isStuck whether only more bytes can change that
   * @return whether there was room for them
   */
  boolean keep(long bytes, boolean isStuck) {
    if (closed) {
      return true;
    }
    kept = bytes;
    long needed = Math.max(0, bytes - OWN);
    boolean room = true;
    if (needed > taken) {
      long received = Math.min(ahead, needed - taken);
      ahead -= received;
      long more = needed - taken - received;
      room = more == 0 || memory.take(more);
      if (!room) {
        memory.takeAnyway(more); // released with the rest
      }
      taken = needed;
    } else if (needed < taken) {
      long less = taken - needed;
      taken = needed;
      memory.release(less);
    }
    boolean stuckNow = isStuck && taken > 0;
    if (stuckNow != stuck) {
      stuck = stuckNow;
      memory.setStuck(this, stuckNow);
    }
    return room;
  }

  /** The share of what the client has not accepted. */
  ClientMemory responses() {
    return limits.responses();
  }

  void countRefusedHead() {
    limits.count(ClientLimits.Limited.HEAD);
  }

  @Override
  public boolean granted() {
    return onNetworkThread(
        () -> {
          if (closed) {
            memory.release(ClientMemory.ROOM);
            return;
          }
          ahead += ClientMemory.ROOM;
          waits = false;
          read();
        });
  }

  @Override
  public void giveUp() {
    onNetworkThread(
        () -> {
          if (!closed) {
            limits.count(ClientLimits.Limited.STUCK);
            whenRefused.run();
            drop();
          }
        });
  }

  private boolean onNetworkThread(Runnable task) {
    try {
      Objects.requireNonNull(channel).eventLoop().execute(task);
      return true;
    } catch (RejectedExecutionException stopped) {
      return false;
    }
  }

  private void waitForRoom() {
    waits = true;
    limits.count(ClientLimits.Limited.READING);
    read();
    memory.await(this);
  }

  @Override
  public Handle newHandle() {
    return new Reads(sizes.newHandle());
  }

  private final class Reads extends DelegatingHandle {
    Reads(Handle adaptive) {
      super(adaptive);
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      return allocator.ioBuffer(size());
    }

    private int size() {
      int most = guess();
      if (closed) {
        return Math.min(most, OWN);
      }
      long room = Math.max(0, OWN - kept) + ahead;
      if (room >= most) {
        return most;
      }
      if (memory.takeInTurn(most - room)) {
        ahead += most - room;
        return most;
      }
      isShort = true;
      return (int) Math.max(LEAST_READ, room);
    }

    @Override
    public boolean continueReading() {
      return !isShort && delegate().continueReading();
    }

    @Override
    public void readComplete() {
      delegate().readComplete();
      if (closed) {
        return;
      }
      long unused = ahead;
      ahead = 0;
      memory.release(unused);
      if (isShort) {
        isShort = false;
        if (kept > OWN / 2 && !waits) {
          waitForRoom();
        }
      }
    }
  }
}
