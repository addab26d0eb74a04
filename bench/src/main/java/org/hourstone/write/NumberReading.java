package org.hourstone.write;

/** Lets benchmarks read numbers from bytes alone, see {@link LineResolution}. Not thread-safe. */
public final class NumberReading {
  private final ByteNumber number = new ByteNumber(ByteNumber.Width.EXACT);

  /**
   * The bits of the value that is stored.
   *
   * @throws IllegalArgumentException if the text is left to others
   */
  public long raw(byte[] text) {
    if (!number.read(text, 0, text.length)) {
      throw new IllegalArgumentException("no number of a usual form");
    }
    return number.raw();
  }
}
