package org.hourstone.internal;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/**
 * Decompresses gzip of one or several parts completely. The JDK interprets anything it can't read
 * after a complete part as the end; here it is an error, except for zero padding. After each part
 * the JDK calls {@link #read} from within it; here that call returns at once, so that many empty
 * parts don't take all of the stack.
 */
public final class WholeGzip extends GZIPInputStream {
  /** The checksum and length after each part, see RFC 1952. */
  private static final int TRAILER_BYTES = 8;

  private boolean ended;

  /** Whether the JDK's method is reading, so that a call comes from it, after the end of a part. */
  private boolean reading;

  public WholeGzip(InputStream in, int bufferBytes) throws IOException {
    super(in, bufferBytes);
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (reading) {
      return 0;
    }
    int count;
    do {
      count = readSome(into, from, length);
    } while (count == 0 && length > 0);
    return count;
  }

  /**
   * As {@link #read}, but reads from one part only, so that it takes no more of the compressed
   * bytes than a buffer at a time.
   *
   * @return 0 at the end of each part
   */
  public int readSome(byte[] into, int from, int length) throws IOException {
    int count = readOne(into, from, length);
    if (count < 0 && !ended) {
      ended = true;
      checkRest();
    }
    return count;
  }

  /** Reads from one part; 0 at its end. */
  private int readOne(byte[] into, int from, int length) throws IOException {
    reading = true;
    try {
      return super.read(into, from, length);
    } finally {
      reading = false;
    }
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
