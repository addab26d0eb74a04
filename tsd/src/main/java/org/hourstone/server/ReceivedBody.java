package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, or a part of it, while it is received and handled. Its bytes are counted
 * in {@link BodyMemory} from their arrival until it is released, and so are its decompressed bytes.
 * For one thread at a time: the connection's thread, then that of the request, then the
 * connection's again.
 */
final class ReceivedBody {
  private static final int PART = 32 * 1024;

  private final BodyMemory memory;
  private final int max;
  private long taken;
  private ByteBuf bytes = Unpooled.EMPTY_BUFFER;

  /**
   * @param max the maximum number of bytes of a body, both received and decompressed
   */
  ReceivedBody(BodyMemory memory, int max) {
    this.memory = memory;
    this.max = max;
  }

  /** A body that can't be used. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient HttpResponseStatus status;
    private final String details;

    private RefusedException(HttpResponseStatus status, String details) {
      super(details);
      this.status = status;
      this.details = details;
    }

    static RefusedException tooLarge(int max) {
      return new RefusedException(
          HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
          "the body has more than " + max + " bytes (hourstone.http.max_body_bytes)");
    }

    static RefusedException noRoom() {
      return new RefusedException(
          HttpResponseStatus.SERVICE_UNAVAILABLE,
          "there is no room for the body; try again in a second");
    }

    static RefusedException compressedWrongly(IOException e) {
      return new RefusedException(
          HttpResponseStatus.BAD_REQUEST,
          "the body can't be decompressed" + (e.getMessage() == null ? "" : ": " + e.getMessage()));
    }

    HttpResponseStatus status() {
      return status;
    }

    String details() {
      return details;
    }
  }

  /** Adds a part; returns the status of the refusal if it can't be accepted. */
  @Nullable HttpResponseStatus add(ByteBuf part) {
    int length = part.readableBytes();
    if (bytes.readableBytes() + length > max) {
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

  /** The number of bytes received. */
  long length() {
    return taken;
  }

  /**
   * The decompressed bytes of the body; may be called once. The received bytes are dropped, but the
   * memory stays reserved while the result is used. Must not be called on a network thread, since a
   * small body may be decompressed to a large one.
   *
   * @param encoding the header Content-Encoding; encodings other than gzip and deflate are left
   *     unchanged
   * @throws RefusedException if the compressed data is invalid or the body is too large
   */
  byte[] takePlain(@Nullable String encoding) throws RefusedException {
    if (PlainBytes.areCompressed(encoding)) {
      decompress(encoding);
    }
    byte[] plain = ByteBufUtil.getBytes(bytes);
    dropBytes();
    return plain;
  }

  /** As {@link #takePlain}, as text. */
  String takeText(@Nullable String encoding) throws RefusedException {
    return new String(takePlain(encoding), StandardCharsets.UTF_8);
  }

  private void decompress(@Nullable String encoding) throws RefusedException {
    ByteBuf plain = bytes.alloc().buffer(bytes.readableBytes());
    try (PlainBytes in = new PlainBytes(encoding)) {
      in.add(takeBytes(), true);
      byte[] part = new byte[PART];
      for (int read = in.read(part); read >= 0; read = in.read(part)) {
        if (plain.readableBytes() + read > max) {
          throw RefusedException.tooLarge(max);
        }
        if (!memory.take(read)) {
          throw RefusedException.noRoom();
        }
        taken += read;
        plain.writeBytes(part, 0, read);
      }
      bytes = plain.retain();
    } catch (IOException e) {
      throw RefusedException.compressedWrongly(e);
    } finally {
      plain.release();
    }
  }

  /**
   * The bytes, which the caller must release. Their memory stays reserved until this is released.
   */
  ByteBuf takeBytes() {
    ByteBuf taking = bytes;
    bytes = Unpooled.EMPTY_BUFFER;
    return taking;
  }

  /**
   * A body for the rest of the request's body of which this is a part; called before this part is
   * taken.
   */
  ReceivedBody next() {
    return new ReceivedBody(memory, max - bytes.readableBytes());
  }

  /** The memory that counts its bytes. */
  BodyMemory memory() {
    return memory;
  }

  private void dropBytes() {
    bytes.release();
    bytes = Unpooled.EMPTY_BUFFER;
  }

  /** Idempotent. */
  void release() {
    dropBytes();
    memory.release(taken);
    taken = 0;
  }
}
