package org.hourstone.internal;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/**
 * Decompresses gzip of one or several parts completely. The JDK interprets anything it can't read
 * after a complete part as the end; here it is an error, except for zero padding.
 */
public final class WholeGzip extends GZIPInputStream {
  /** The checksum and length after each part, see RFC 1952. */
  private static final int TRAILER_BYTES = 8;

  private boolean ended;

  public WholeGzip(InputStream in, int bufferBytes) throws IOException {
    super(in, bufferBytes);
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    int count = super.read(into, from, length);
    if (count < 0 && !ended) {
      ended = true;
      checkRest();
    }
    return count;
  }

  private void checkRest() throws IOException {
    int left = Math.max(0, inf.getRemaining() - TRAILER_BYTES);
    checkPadding(buf, len - left, len);
    byte[] more = new byte[buf.length];
    for (int count = in.read(more); count > 0; count = in.read(more)) {
      checkPadding(more, 0, count);
    }
  }

  private static void checkPadding(byte[] bytes, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        throw new IOException("corrupt: the data after a complete part is not gzip");
      }
    }
  }
}
