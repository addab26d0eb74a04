package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes that are collected in pieces of at most {@link #MOST} bytes, so that they take at most that
 * much memory beside their own. A single buffer would be copied each time it grows, to one that is
 * up to 4 MB larger, and nothing would count either. For one thread at a time.
 */
final class Pieces {
  static final int MOST = 64 * 1024;

  private final List<ByteBuf> pieces = new ArrayList<>();
  private int length;

  /** The number of bytes that were added and not taken. */
  int length() {
    return length;
  }

  /** Adds a copy of the readable bytes of a buffer, and reads them. */
  void add(ByteBuf part) {
    length += part.readableBytes();
    while (part.isReadable()) {
      ByteBuf last = withRoom(part.readableBytes());
      last.writeBytes(part, Math.min(part.readableBytes(), last.writableBytes()));
    }
  }

  /** The last piece if it has room; else a new one, twice as large as that. */
  private ByteBuf withRoom(int needed) {
    if (!pieces.isEmpty()) {
      ByteBuf last = pieces.get(pieces.size() - 1);
      if (last.isWritable()) {
        return last;
      }
      needed = Math.max(needed, 2 * last.capacity());
    }
    int capacity = Math.min(needed, MOST);
    ByteBuf piece = PooledByteBufAllocator.DEFAULT.buffer(capacity, capacity);
    pieces.add(piece);
    return piece;
  }

  /** All bytes, which the caller must release; none are left here. */
  ByteBuf take() {
    ByteBuf all = Unpooled.wrappedBuffer(pieces.toArray(new ByteBuf[0]));
    pieces.clear();
    length = 0;
    return all;
  }

  /** Idempotent. */
  void release() {
    take().release();
  }
}
