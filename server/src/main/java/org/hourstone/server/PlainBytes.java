package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.hourstone.internal.WholeGzip;
import org.jspecify.annotations.Nullable;

/**
 * The decompressed bytes of a body, which may be read while the body arrives. A decompressor can't
 * pause in the middle of a read, so it gets the last bytes that have arrived only after the next
 * ones have arrived. For one thread at a time.
 */
final class PlainBytes implements AutoCloseable {
  private static final int PART = 32 * 1024;

  /**
   * More than a decompressor reads in one call, unless its input has long stretches without
   * content.
   */
  private static final int AHEAD = 2 * PART;

  private final Encoding encoding;
  private final Arrived arrived = new Arrived();
  private @Nullable InputStream plain;

  /**
   * @param encoding the header Content-Encoding
   */
  PlainBytes(@Nullable String encoding) {
    this.encoding = Encoding.of(encoding);
  }

  private enum Encoding {
    GZIP,
    DEFLATE,
    NONE;

    static Encoding of(@Nullable String header) {
      return switch (header == null ? "" : header.strip().toLowerCase(Locale.ROOT)) {
        case "gzip", "x-gzip" -> GZIP;
        case "deflate", "x-deflate" -> DEFLATE;
        default -> NONE;
      };
    }
  }

  /** Whether bytes with this header must be decompressed; other encodings are left unchanged. */
  static boolean areCompressed(@Nullable String encoding) {
    return Encoding.of(encoding) != Encoding.NONE;
  }

  /** Adds bytes that have arrived; they are released once they are read. */
  void add(ByteBuf part, boolean last) {
    arrived.add(part, last);
  }

  /** The number of arrived bytes that are not read yet. */
  int left() {
    return arrived.available();
  }

  /**
   * Reads decompressed bytes.
   *
   * @return the number of bytes, which may be 0; -1 at the end, or if more bytes must arrive first
   * @throws IOException if the compressed data is invalid
   */
  int read(byte[] into) throws IOException {
    if (arrived.last ? plain == null && left() == 0 : left() <= ahead()) {
      return -1;
    }
    if (plain == null) {
      plain = open();
    }
    return plain instanceof WholeGzip parts
        ? parts.readSome(into, 0, into.length)
        : plain.read(into);
  }

  private int ahead() {
    return encoding == Encoding.NONE ? 0 : AHEAD;
  }

  private InputStream open() throws IOException {
    return switch (encoding) {
      case GZIP -> new WholeGzip(arrived, PART);
      case DEFLATE -> inflater();
      case NONE -> arrived;
    };
  }

  /** A stream for the encoding deflate, with the zlib header, as specified, or without it. */
  private InputStream inflater() {
    ByteBuf bytes = arrived.bytes;
    boolean zlib =
        bytes.readableBytes() > 1
            && (bytes.getByte(bytes.readerIndex()) & 0xF) == 8
            && bytes.getUnsignedShort(bytes.readerIndex()) % 31 == 0;
    Inflater inflater = new Inflater(!zlib);
    return new InflaterInputStream(arrived, inflater, PART) {
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

  /** Idempotent. */
  @Override
  public void close() {
    try {
      if (plain != null) {
        plain.close();
      }
    } catch (IOException e) {
      throw new IllegalStateException("closing bytes in memory", e);
    } finally {
      plain = null;
      arrived.close();
    }
  }

  private static final class Arrived extends InputStream {
    private ByteBuf bytes = Unpooled.EMPTY_BUFFER;
    private boolean last;

    void add(ByteBuf part, boolean isLast) {
      ByteBuf left = bytes.readBytes(bytes.readableBytes());
      bytes.release();
      bytes = Unpooled.wrappedBuffer(left, part);
      last = isLast;
    }

    @Override
    public int available() {
      return bytes.readableBytes();
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      int count = Math.min(length, bytes.readableBytes());
      if (count == 0 && length > 0) {
        if (last) {
          return -1;
        }
        throw new IOException("it ends before the body, or has too little content");
      }
      bytes.readBytes(into, from, count);
      return count;
    }

    @Override
    public void close() {
      bytes.release();
      bytes = Unpooled.EMPTY_BUFFER;
    }
  }
}
