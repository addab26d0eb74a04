package org.hourstone.server;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.hourstone.api.ApiUpload;
import org.hourstone.api.request.ApiResponse;
import org.jspecify.annotations.Nullable;

/**
 * A body that is handled while it arrives. Data retained from one part to the next is counted in
 * {@link ClientMemory}, in addition to the parts themselves. For one thread at a time: a request
 * thread while a part is handled, the connection's thread in between.
 */
final class StreamedBody {
  private static final int PIECE = 32 * 1024;

  private final ApiUpload upload;
  private final ClientMemory memory;
  private final int max;
  private final PlainBytes plain;
  private long length;
  private long taken;
  private boolean last;
  private boolean unfinished;

  /**
   * @param max the maximum number of bytes of the body, decompressed
   * @param encoding the header Content-Encoding
   */
  StreamedBody(ApiUpload upload, ClientMemory memory, int max, @Nullable String encoding) {
    this.upload = upload;
    this.memory = memory.ofLarge();
    this.max = max;
    this.plain = new PlainBytes(encoding);
  }

  /**
   * Adds a part.
   *
   * @param isLast whether this is the rest of the body
   */
  void add(ReceivedBody part, boolean isLast) {
    plain.add(part.takeBytes(), isLast);
    last = isLast;
  }

  /** Whether a block of it may be handled with the next piece. */
  boolean isLarge() {
    return length + PIECE > ApiUpload.WHOLE_BYTES;
  }

  /** Whether there is more to handle before the next part is required. */
  boolean isUnfinished() {
    return unfinished;
  }

  /**
   * Handles what was added. A small part may be decompressed to a very large one, so other requests
   * can have their turns in between.
   *
   * @param yields whether they should have them now
   * @return the response; null if it requires the next part or is unfinished
   * @throws ReceivedBody.RefusedException as {@link ReceivedBody#takeParsed}
   */
  @Nullable ApiResponse proceed(BooleanSupplier yields) throws ReceivedBody.RefusedException {
    unfinished = false;
    try {
      byte[] piece = new byte[PIECE];
      for (int count = plain.read(piece); count >= 0; count = plain.read(piece)) {
        length += count;
        if (length > max) {
          throw ReceivedBody.RefusedException.tooLarge(max);
        }
        ApiResponse answer = upload.add(piece, 0, count);
        if (answer != null) {
          return answer;
        }
        keep(upload.heldBytes());
        if (yields.getAsBoolean()) {
          unfinished = true;
          return null;
        }
      }
      if (last) {
        return upload.end();
      }
      keep(upload.heldBytes() + plain.left());
      return null;
    } catch (IOException e) {
      throw ReceivedBody.RefusedException.compressedWrongly(e);
    }
  }

  private void keep(long bytes) throws ReceivedBody.RefusedException {
    if (bytes > taken && !memory.take(bytes - taken)) {
      throw ReceivedBody.RefusedException.noRoom();
    }
    memory.release(Math.max(0, taken - bytes));
    taken = bytes;
  }

  /**
   * The response if the rest can't be received or used.
   *
   * @param details the reason; may be empty
   */
  ApiResponse brokenOff(HttpResponseStatus status, String details) {
    return upload.brokenOff(status.code(), status.reasonPhrase(), details);
  }

  /** Idempotent. */
  void release() {
    plain.close();
    memory.release(taken);
    taken = 0;
  }
}
