package org.hourstone.tsd;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The lines of a telnet conversation: ISO-8859-1, at most 1024 bytes each. */
final class PutLines {
  static final int MAX_LINE_BYTES = 1024;

  private final InputStream in;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private long number;
  private boolean tooLong;

  PutLines(InputStream in) {
    this.in = new BufferedInputStream(in, 1 << 16);
  }

  /** The number of the line returned last, from 1. */
  long number() {
    return number;
  }

  /** Whether the line returned last was too long; then only its start was returned. */
  boolean tooLong() {
    return tooLong;
  }

  /** The next line without its end, or null after the last one. */
  @Nullable String next() throws IOException {
    line.reset();
    tooLong = false;
    int octet = in.read();
    if (octet < 0) {
      return null;
    }
    for (; octet >= 0 && octet != '\n'; octet = in.read()) {
      if (line.size() == MAX_LINE_BYTES) {
        tooLong = true;
      } else {
        line.write(octet);
      }
    }
    number++;
    return line.toString(StandardCharsets.ISO_8859_1);
  }
}
