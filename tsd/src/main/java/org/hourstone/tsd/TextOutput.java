package org.hourstone.tsd;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Standard output as UTF-8 text. Throws on write errors, unlike {@link java.io.PrintStream}: a long
 * output must end when its reader has closed it, and a full disk must not look like success.
 */
final class TextOutput {
  private final OutputStream out;

  TextOutput(OutputStream out) {
    this.out = new BufferedOutputStream(out, 1 << 16);
  }

  void print(String text) {
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  void line(String text) {
    print(text + "\n");
  }

  void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  /** The underlying stream, for bytes; shares the buffer. */
  OutputStream stream() {
    return out;
  }
}
