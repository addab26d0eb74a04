package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.hourstone.internal.WholeGzip;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, while it is received and handled. Its bytes count in {@link BodyMemory}
 * from their arrival until it is released; so do those that it is decompressed to. For one thread
 * at a time: the connection's, then that of the request, then the connection's again.
 */
final class ReceivedBody {
  private static final int PART = 32 * 1024;

  private final BodyMemory memory;
  private final int max;
  private long taken;
  private ByteBuf bytes = Unpooled.EMPTY_BUFFER;

  /**
   * @param max bytes of a body, as it is received and decompressed
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

    HttpResponseStatus status() {
      return status;
    }

    String details() {
      return details;
    }
  }

  /** Adds a part; the status of the refusal if it can't be taken. */
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
   * The text of the body, once: its bytes are dropped, but its room is taken as long as the text is
   * used. Not on a network thread, since a small body may be decompressed to a large one.
   *
   * @param encoding the header Content-Encoding; others than gzip and deflate are left
   * @throws RefusedException if it is compressed wrongly, or gets too large
   */
  String takeText(@Nullable String encoding) throws RefusedException {
    switch (encoding == null ? "" : encoding.strip().toLowerCase(Locale.ROOT)) {
      case "gzip", "x-gzip" -> decompress(true);
      case "deflate", "x-deflate" -> decompress(false);
      default -> {}
    }
    String text = bytes.toString(StandardCharsets.UTF_8);
    dropBytes();
    return text;
  }

  private void decompress(boolean gzip) throws RefusedException {
    if (!bytes.isReadable()) {
      return;
    }
    ByteBuf plain = bytes.alloc().buffer(bytes.readableBytes());
    try (InputStream in = gzip ? gzip() : inflater()) {
      byte[] part = new byte[PART];
      for (int read = in.read(part); read >= 0; read = in.read(part)) {
        if (plain.readableBytes() + read > max) {
          throw new RefusedException(
              HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
              "the body has more than " + max + " bytes (hourstone.http.max_body_bytes)");
        }
        if (!memory.take(read)) {
          throw new RefusedException(
              HttpResponseStatus.SERVICE_UNAVAILABLE,
              "there is no room for the body; try again in a second");
        }
        taken += read;
        plain.writeBytes(part, 0, read);
      }
      dropBytes();
      bytes = plain.retain();
    } catch (IOException e) {
      throw new RefusedException(
          HttpResponseStatus.BAD_REQUEST,
          "the body can't be decompressed" + (e.getMessage() == null ? "" : ": " + e.getMessage()));
    } finally {
      plain.release();
    }
  }

  private InputStream gzip() throws IOException {
    return new WholeGzip(new ByteBufInputStream(bytes), PART);
  }

  /** For what is called deflate: with the header of zlib, as it should have, or without. */
  private InputStream inflater() {
    boolean zlib =
        bytes.readableBytes() > 1
            && (bytes.getByte(bytes.readerIndex()) & 0xF) == 8
            && bytes.getUnsignedShort(bytes.readerIndex()) % 31 == 0;
    Inflater inflater = new Inflater(!zlib);
    return new InflaterInputStream(new ByteBufInputStream(bytes), inflater, PART) {
      @Override
      public int read(byte[] into, int from, int length) throws IOException {
        int count = super.read(into, from, length);
        if (count < 0 && (!inflater.finished() || inflater.getRemaining() + in.available() > 0)) {
          throw new IOException(
              inflater.finished() ? "there is more after its end" : "it needs a dictionary");
        }
        return count;
      }

      @Override
      public void close() throws IOException {
        super.close();
        inflater.end();
      }
    };
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
