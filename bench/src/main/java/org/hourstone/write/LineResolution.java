package org.hourstone.write;

import java.io.IOException;
import java.io.InputStream;

/**
 * Lets benchmarks run the first steps of an import alone. In this package so that core need not
 * make them public.
 */
public final class LineResolution {
  private LineResolution() {}

  /** Reads lines and drops them; returns their number. */
  public static long read(InputStream in) throws IOException {
    LineSource source = new LineSource(in);
    long characters = 0;
    for (String line = source.next(); line != null; line = source.next()) {
      characters += line.length();
    }
    if (characters == 0) {
      throw new IOException("no text");
    }
    return source.lineNumber();
  }

  /** Reads lines, parses them and finds their series; returns their number. */
  public static long resolve(PointWriter writer, InputStream in) throws IOException {
    LineSource source = new LineSource(in);
    for (String line = source.next(); line != null; line = source.next()) {
      resolve(writer, line);
    }
    return source.lineNumber();
  }

  /** Parses a line and finds its series; returns the point. */
  public static Object resolve(PointWriter writer, String line) {
    return writer.resolve(new ImportLine(1, line, null, line));
  }
}
