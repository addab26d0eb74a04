package org.hourstone.tsd.terminal;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Standard output as UTF-8 text. Throws on write errors, unlike {@link java.io.PrintStream}: a long
 * output must end when its reader has closed it, and a full disk must not look like success.
 */
public final class TextOutput {
  private final OutputStream out;

  public TextOutput(OutputStream out) {
    this.out = new BufferedOutputStream(out, 1 << 16);
  }

  void print(String text) {
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  public void line(String text) {
    print(text + "\n");
  }

  public void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  /** The underlying stream, for bytes; shares the buffer. */
  public OutputStream stream() {
    return out;
  }
}
