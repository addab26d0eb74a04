package org.hourstone.internal;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/**
 * Decompresses gzip of one or several parts completely. The JDK takes anything it can't read after
 * a complete part for the end; here that is an error, except for padding with zeros.
 */
public final class WholeGzip extends GZIPInputStream {
  /** Checksum and length after each part; RFC 1952. */
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
