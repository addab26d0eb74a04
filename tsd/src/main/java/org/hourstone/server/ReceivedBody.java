package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, while it is received and handled. Its bytes count in {@link BodyMemory}
 * from their arrival until it is released. Not thread-safe.
 */
final class ReceivedBody {
  private final BodyMemory memory;
  private final int max;
  private long taken;
  private ByteBuf bytes = Unpooled.EMPTY_BUFFER;

  /**
   * @param max bytes of a body
   */
  ReceivedBody(BodyMemory memory, int max) {
    this.memory = memory;
    this.max = max;
  }

  /** Adds a part; the status of the refusal if it can't be taken. */
  @Nullable HttpResponseStatus add(ByteBuf part) {
    int length = part.readableBytes();
    if (taken + length > max) {
      return HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE;
    }
    if (!memory.take(length)) {
      return HttpResponseStatus.SERVICE_UNAVAILABLE;
    }
    taken += length;
    if (length > 0) {
      bytes = taken == length ? part.alloc().buffer(length) : bytes;
      bytes.writeBytes(part);
    }
    return null;
  }

  /** The number of bytes received, decompressed. */
  long length() {
    return taken;
  }

  /** The body, once: its bytes are dropped, but its room is taken as long as the text is used. */
  String takeText() {
    String text = bytes.toString(StandardCharsets.UTF_8);
    dropBytes();
    return text;
  }

  private void dropBytes() {
    bytes.release();
    bytes = Unpooled.EMPTY_BUFFER;
  }

  /** May be called again. */
  void release() {
    dropBytes();
    memory.release(taken);
    taken = 0;
  }
}
